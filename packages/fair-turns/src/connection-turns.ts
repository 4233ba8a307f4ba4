import { Entrant } from './entrant.ts';
import { FairQueue } from './fair-queue.ts';
import type { GiveUp, Turn, TurnRequest } from './rules.ts';

/** `quick` ends within milliseconds; `heavy` may reach a statement's timeout; `write` are transactions, which wait for locks. */
type Work = 'quick' | 'heavy' | 'write';

export interface Claim {
  organizationId: string | null;
  userId: string | null;
  /** Whether it is for public data of an organization. */
  isPublic: boolean;
  /** Of a client that is not signed in, narrowest first: these take turns instead. */
  networks: readonly string[];
  work: Work;
}

export interface ConnectionTurnsOptions {
  connections: number;
  /** Percent of them that one user, and one organization, may hold while others want some. */
  userShare: number;
  organizationShare: number;
  /** Milliseconds that a request waits for its turn. */
  patience: number;
  /** The error if too many of one organization or user wait. */
  tooMany(): Error;
  /** The error if the turn does not come in time. */
  busy(): Error;
}

/** How many statements of one organization or widest network, and of one user or narrowest network, may wait. */
const maxWaiting = { organization: 400, user: 200 };

/**
 * Decides whose statements get the connections of a pool. Organizations take turns, and the users within each; so do
 * the networks of anonymous clients. Anonymous readers of public events share the limits of one organization.
 *
 * - One organization never holds the last connection, and neither do transactions: some need another one, as for a limit.
 * - Heavy statements together hold at most half of the connections.
 * - While others wait, work that is not quick is limited to the shares, and heavy statements leave room for another
 *   organization.
 */
export class ConnectionTurns {
  readonly #connections: number;
  readonly #limits: { user: number; organization: number; heavy: number; organizationHeavy: number; writes: number };
  readonly #queue: FairQueue<Claim, Work>;
  readonly #organizations = new Askers();
  readonly #users = new Askers();
  readonly #strangers = new Entrant<Work>('strangers');

  constructor({ connections, userShare, organizationShare, patience, tooMany, busy }: ConnectionTurnsOptions) {
    const share = (percent: number) => Math.max(1, Math.floor((connections * percent) / 100));
    const heavy = share(50);
    const organization = share(organizationShare);
    const organizationHeavy = Math.max(1, Math.min(heavy - 1, Math.ceil(organization / 2)));
    const writes = Math.max(1, connections - 1);
    this.#connections = connections;
    this.#limits = { user: share(userShare), organization, heavy, organizationHeavy, writes };
    this.#queue = new FairQueue<Claim, Work>({
      kindOf: ({ work }) => work,
      pathOf,
      groupOf: ({ isPublic }) => (isPublic ? this.#strangers : null),
      mayStart: (job) => this.#mayStart(job),
      refusal: ({ path }) => {
        const [organization, user] = path as [Entrant<Work>, Entrant<Work>];
        const mayWait = organization.waiting < maxWaiting.organization && user.waiting < maxWaiting.user;
        return mayWait ? null : tooMany();
      },
      capacity: Number.POSITIVE_INFINITY,
      patience,
      busy,
    });
  }

  /**
   * Calls `start` with the turn of a claim: at once if there is room, otherwise within the end of another turn.
   *
   * @param refuse gets the error `busy` if the turn does not come in time, or the reason why the claim was cancelled
   * @returns cancels the claim; null if it does not wait
   * @throws the error `tooMany` if too many of the same organization or user already wait
   */
  enter(claim: Claim, start: (turn: Turn) => void, refuse: (reason: Error) => void): GiveUp | null {
    this.#organizations.note(claim.isPublic ? 'strangers' : claim.organizationId);
    this.#users.note(claim.userId);
    return this.#queue.enter(claim, start, refuse);
  }

  /** The turn of a claim if there is room now, without waiting. */
  takeAtOnce(claim: Claim): Turn | null {
    return this.#queue.takeAtOnce(claim);
  }

  get waiting(): number {
    return this.#queue.all.waiting;
  }

  get running(): number {
    return this.#queue.all.running;
  }

  #mayStart({ claim, path, group }: TurnRequest<Claim, Work>): boolean {
    const { work, userId, organizationId, isPublic } = claim;
    const [organization, user] = path as [Entrant<Work>, Entrant<Work>];
    // the shares of an organization limit its own statements, or those of all anonymous readers
    const shared = group ?? organization;
    const { all } = this.#queue;
    const limits = this.#limits;
    if (all.running >= this.#connections) return false;
    if (this.#connections > 1 && shared.running >= this.#connections - 1) return false;
    if (work === 'quick') return true;
    if (work === 'heavy' && all.runningOf('heavy') >= limits.heavy) return false;
    if (work === 'write' && all.runningOf('write') >= limits.writes) return false;
    if (userId !== null && slow(user) >= limits.user && this.#users.severalAsk()) return false;
    if ((organizationId !== null || isPublic) && !this.#organizations.severalAsk()) return true;
    return (
      slow(shared) < limits.organization && (work !== 'heavy' || shared.runningOf('heavy') < limits.organizationHeavy)
    );
  }
}

function slow(entrant: Entrant<Work>): number {
  return entrant.running - entrant.runningOf('quick');
}

/** A user or network without an organization takes turns with the organizations. */
function pathOf({ organizationId, userId, networks }: Claim): string[] {
  const organization = organizationId ?? userId ?? `network ${networks.at(-1)}`;
  return [organization, userId ?? `network ${networks[0]}`];
}

/** Milliseconds for which a party counts as active after its last request: people click every few seconds. */
const attention = 10_000;

/** The organizations or users that asked recently. */
class Askers {
  #last: string | null = null;
  #changed = Number.NEGATIVE_INFINITY;

  note(id: string | null): void {
    if (id === null || id === this.#last) return;
    if (this.#last !== null) this.#changed = performance.now();
    this.#last = id;
  }

  /** Whether more than one did. */
  severalAsk(): boolean {
    return performance.now() - this.#changed < attention;
  }
}
