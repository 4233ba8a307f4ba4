import { setImmediate } from 'node:timers/promises';
import { Entrant, FairQueue, type GiveUp, type Turn, type TurnRequest } from '#fair-turns';
import type { Pool, Work } from '#postgres-access';
import { DomainError } from '../errors.ts';
import { clientNetworks } from '../limits/client-network.ts';
import { ClientGone, type Requester } from '../request.ts';

export interface Claim {
  organizationId: string | null;
  userId: string | null;
  /** Whether it is for public data of an organization. */
  isPublic: boolean;
  /** Of a client that is not signed in, narrowest first: these take turns instead. */
  networks: readonly string[];
  work: Work;
}

export interface TurnsOptions {
  connections: number;
  /** Percent of them that one user, and one organization, may hold while others want some. */
  userShare: number;
  organizationShare: number;
  /** Milliseconds that a request waits for its turn. */
  patience: number;
}

/** How many statements of one organization or widest network, and of one user or narrowest network, may wait. */
const maxWaiting = { organization: 400, user: 200 };

/**
 * Decides whose statements get the connections of a pool (note 0030). Organizations take turns, and the users within each; so do
 * the networks of anonymous clients. Anonymous readers of public events share the limits of one organization.
 *
 * - One organization never holds the last connection, and neither do transactions: some need another one, as for a limit.
 * - Heavy statements together hold at most half of the connections.
 * - While others wait, work that is not quick is limited to the shares, and heavy statements leave room for another
 *   organization.
 */
export class Turns {
  readonly #connections: number;
  readonly #limits: { user: number; organization: number; heavy: number; organizationHeavy: number; writes: number };
  readonly #queue: FairQueue<Claim, Work>;
  readonly #organizations = new Askers();
  readonly #users = new Askers();
  readonly #strangers = new Entrant<Work>('strangers');

  constructor({ connections, userShare, organizationShare, patience }: TurnsOptions) {
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
        if (mayWait) return null;
        const detail = 'Too many requests of this organization or user wait for the database.';
        return new DomainError('RATE_LIMITED', { detail, retryAfter: 1 });
      },
      capacity: Number.POSITIVE_INFINITY,
      patience,
      busy: () => new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 2 }),
    });
  }

  /**
   * Calls `start` with the turn of a claim: at once if there is room, otherwise within the end of another turn.
   *
   * @param refuse gets SERVICE_UNAVAILABLE if the turn does not come in time, or the reason why the claim was cancelled
   * @returns cancels the claim; null if it does not wait
   * @throws DomainError RATE_LIMITED if too many of the same organization or user already wait
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

/**
 * Calls `start` when it is the turn of the request's user and organization. The caller ends the turn.
 *
 * @param fail called with RATE_LIMITED, SERVICE_UNAVAILABLE if the turn does not come in time, or ClientGone
 */
export function onTurn(
  requester: Requester,
  turns: Turns,
  work: Work,
  start: (turn: Turn) => void,
  fail: (reason: Error) => void,
): void {
  const { client, log, waits } = requester;
  const claim = claimOf(requester, work);
  let giveUp: GiveUp | null = null;
  const refuse = (reason: Error) => {
    if (giveUp) waits.delete(giveUp);
    if (!(reason instanceof ClientGone)) {
      log.warn({ requestId: client.requestId, ...claim, err: reason }, 'request rejected: queue full or wait too long');
    }
    fail(reason);
  };
  const begin = (turn: Turn) => {
    if (giveUp) waits.delete(giveUp);
    start(turn);
  };
  try {
    giveUp = turns.enter(claim, begin, refuse);
  } catch (error) {
    refuse(error as Error);
    return;
  }
  if (giveUp) waits.add(giveUp);
}

/** Like {@link onTurn}. @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if the turn does not come in time; ClientGone */
export function takeTurn(requester: Requester, turns: Turns, work: Work): Promise<Turn> {
  return new Promise((resolve, reject) => onTurn(requester, turns, work, resolve, reject));
}

export function claimOf({ membership, publicScope, viewer, tokenUserId, client }: Requester, work: Work): Claim {
  const userId = viewer?.userId ?? tokenUserId;
  const networks = userId === null ? clientNetworks(client.ip) : [];
  const organizationId = membership?.organizationId ?? null;
  return { organizationId, userId, isPublic: membership === null && publicScope !== null, networks, work };
}

/** Decides whose statements get the connections of each pool: the primary's and each replica's. */
export class PoolTurns {
  readonly primary: Turns;
  readonly #shares: Omit<TurnsOptions, 'connections'>;
  readonly #turns = new WeakMap<Pool, Turns>();

  constructor(primary: Pool, shares: Omit<TurnsOptions, 'connections'>) {
    this.#shares = shares;
    this.primary = this.of(primary);
  }

  of(pool: Pool): Turns {
    const known = this.#turns.get(pool);
    if (known) return known;
    // one is reserved for background work and the counters of limits
    const turns = new Turns({ ...this.#shares, connections: Math.max(1, pool.options.max - 1) });
    this.#turns.set(pool, turns);
    return turns;
  }
}

/** Runs `work` when its turn comes. @throws as {@link takeTurn} */
export async function inTurn<Result>(
  request: Requester,
  turns: Turns,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const turn = await takeTurn(request, turns, 'quick');
  try {
    // requests that have arrived in the meantime run first
    await setImmediate();
    return await work();
  } finally {
    turn.end();
  }
}
