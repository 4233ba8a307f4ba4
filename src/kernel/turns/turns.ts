import { DomainError } from '../errors.ts';

/**
 * The kind of work that a connection does: `quick` for lists without a client's filter and rows by id; `heavy` for counts and
 * filtered lists, which may take as long as the statement timeout; `write` for transactions, which may wait for locks.
 */
export type Work = 'quick' | 'heavy' | 'write';

/** Who wants a connection. The ids are null if nobody is signed in, or if the request is not scoped to an organization. */
export interface Claim {
  organizationId: string | null;
  userId: string | null;
  /** Whether it is for the public data of an organization, without a sign-in. */
  isPublic: boolean;
  /** The networks of the client, narrowest first: they take turns if nobody is signed in. */
  networks: readonly string[];
  work: Work;
}

export interface TurnsOptions {
  /** The number of connections. */
  connections: number;
  /** The percentage of them that one user or one organization may hold while others are waiting. */
  userShare: number;
  organizationShare: number;
  /** Milliseconds that a request waits for its turn. */
  patience: number;
}

/** The right to use one connection until `end` is called. */
export interface Turn {
  end(): void;
}

/** How many statements may wait for one organization (or widest network), and for one user (or narrowest network). */
const maxWaiting = { organization: 400, user: 200 };

/** An organization or a user with requests in flight. */
interface Party {
  running: number;
  /** Running, and not quick. */
  slow: number;
  heavy: number;
  waiting: number;
  /** The number of its last turn. */
  lastTurn: number;
}

/** The queue of one user and one kind of work. */
interface Line {
  key: string;
  claim: Claim;
  organization: Party;
  user: Party;
  /** The party that an organization's share applies to: the organization itself, or all clients without a sign-in together. */
  shared: Party;
  /** The three above, without duplicates. */
  parties: Party[];
  running: number;
  /** In the order of arrival. */
  waiters: Waiter[];
}

interface Waiter {
  arrival: number;
  start: (turn: Turn) => void;
  timer: NodeJS.Timeout;
}

/** Cancels a waiting claim. */
export type GiveUp = (reason: Error) => void;

/**
 * Decides whose statements get the connections of a pool (note 0030). Organizations take turns, and so do the users within
 * each of them, and the networks of clients that are not signed in. Statements wait here and not in the queue of the pool,
 * which is first come, first served. For public data, all clients without a sign-in together count as one organization.
 *
 * - One organization never holds the last connection. Neither do transactions, since some need a second connection, for
 *   example to count against a limit.
 * - Heavy statements together hold at most half of the connections.
 * - While others are active, writes and heavy statements are limited to the shares, and heavy statements leave room for
 *   another organization.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #limits: { user: number; organization: number; heavy: number; organizationHeavy: number; writes: number };
  readonly #lines = new Map<string, Line>();
  readonly #organizations = new Parties();
  readonly #users = new Parties();
  readonly #strangers = newParty();
  #running = 0;
  #heavy = 0;
  #writes = 0;
  #turns = 0;
  #arrivals = 0;

  constructor(options: TurnsOptions) {
    const { connections, userShare, organizationShare } = options;
    const share = (percent: number) => Math.max(1, Math.floor((connections * percent) / 100));
    const heavy = share(50);
    const organization = share(organizationShare);
    const organizationHeavy = Math.max(1, Math.min(heavy - 1, Math.ceil(organization / 2)));
    this.#options = options;
    const writes = Math.max(1, connections - 1);
    this.#limits = { user: share(userShare), organization, heavy, organizationHeavy, writes };
  }

  /**
   * Calls `start` with the turn of a claim: at once if there is room, otherwise when another turn ends.
   *
   * @param refuse called with SERVICE_UNAVAILABLE if the turn does not come in time, or with the reason of the cancellation
   * @returns a function that cancels the waiting claim; null if it does not have to wait
   * @throws DomainError RATE_LIMITED if too many claims of the same organization or user are already waiting
   */
  enter(claim: Claim, start: (turn: Turn) => void, refuse: (reason: Error) => void): GiveUp | null {
    this.#organizations.note(claim.isPublic ? 'strangers' : claim.organizationId);
    this.#users.note(claim.userId);
    const line = this.#line(claim);
    if (this.#mayStart(line)) {
      start(this.#start(line));
      return null;
    }
    const { organization, user } = line;
    if (organization.waiting >= maxWaiting.organization || user.waiting >= maxWaiting.user) {
      this.#tidy(line);
      throw new DomainError('RATE_LIMITED', { retryAfter: 1 });
    }
    return this.#wait(line, start, refuse);
  }

  /** The turn of a claim if there is room now; null instead of waiting. */
  takeAtOnce(claim: Claim): Turn | null {
    const line = this.#line(claim);
    if (this.#mayStart(line)) return this.#start(line);
    this.#tidy(line);
    return null;
  }

  /** Whether any claim is waiting. */
  get isWanted(): boolean {
    return this.#lines.values().some(({ waiters }) => waiters.length > 0);
  }

  #line(claim: Claim): Line {
    const key = keyOf(claim);
    const known = this.#lines.get(key);
    if (known) return known;
    const organization = this.#organizations.get(organizationParty(claim));
    const user = this.#users.get(userParty(claim));
    const shared = claim.isPublic ? this.#strangers : organization;
    const parties = [...new Set([organization, user, shared])];
    const line = { key, claim, organization, user, shared, parties, running: 0, waiters: [] };
    this.#lines.set(key, line);
    return line;
  }

  #mayStart({ claim: { work, userId, organizationId, isPublic }, shared, user }: Line): boolean {
    const { connections } = this.#options;
    const limits = this.#limits;
    if (this.#running >= connections) return false;
    if (connections > 1 && shared.running >= connections - 1) return false;
    if (work === 'quick') return true;
    if (work === 'heavy' && this.#heavy >= limits.heavy) return false;
    if (work === 'write' && this.#writes >= limits.writes) return false;
    if (userId !== null && user.slow >= limits.user && this.#users.severalAsk()) return false;
    if ((organizationId !== null || isPublic) && !this.#organizations.severalAsk()) return true;
    return shared.slow < limits.organization && (work !== 'heavy' || shared.heavy < limits.organizationHeavy);
  }

  #start(line: Line): Turn {
    this.#turns += 1;
    this.#count(line, 1);
    line.organization.lastTurn = this.#turns;
    line.user.lastTurn = this.#turns;
    return {
      end: () => {
        this.#count(line, -1);
        this.#tidy(line);
        this.#startNext();
      },
    };
  }

  #count(line: Line, step: 1 | -1): void {
    const { work } = line.claim;
    this.#running += step;
    line.running += step;
    if (work === 'heavy') this.#heavy += step;
    if (work === 'write') this.#writes += step;
    for (const party of line.parties) {
      party.running += step;
      if (work !== 'quick') party.slow += step;
      if (work === 'heavy') party.heavy += step;
    }
  }

  #wait(line: Line, start: (turn: Turn) => void, refuse: (reason: Error) => void): GiveUp {
    this.#arrivals += 1;
    const late = () => giveUp(new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 2 }));
    const waiter: Waiter = { arrival: this.#arrivals, start, timer: setTimeout(late, this.#options.patience) };
    const giveUp = (reason: Error) => {
      const place = line.waiters.indexOf(waiter);
      if (place === -1) return;
      this.#removeWaiter(line, place);
      this.#tidy(line);
      refuse(reason);
    };
    line.waiters.push(waiter);
    line.organization.waiting += 1;
    line.user.waiting += 1;
    return giveUp;
  }

  #removeWaiter(line: Line, place: number): Waiter {
    line.organization.waiting -= 1;
    line.user.waiting -= 1;
    const [waiter] = line.waiters.splice(place, 1) as [Waiter];
    clearTimeout(waiter.timer);
    return waiter;
  }

  #startNext(): void {
    for (let line = this.#nextLine(); line; line = this.#nextLine()) {
      const { start } = this.#removeWaiter(line, 0);
      start(this.#start(line));
    }
  }

  /** Of the queues that may start, the one whose organization, and then user, has waited longest since its last turn. */
  #nextLine(): Line | null {
    let next: Line | null = null;
    for (const line of this.#lines.values()) {
      if (line.waiters.length > 0 && this.#mayStart(line) && (!next || isBefore(line, next))) next = line;
    }
    return next;
  }

  /** Removes the queue and its parties if they have no requests in flight. */
  #tidy(line: Line): void {
    if (line.waiters.length > 0 || line.running > 0) return;
    this.#lines.delete(line.key);
    this.#organizations.tidy(organizationParty(line.claim));
    this.#users.tidy(userParty(line.claim));
  }
}

function keyOf(claim: Claim): string {
  return `${organizationParty(claim)} ${userParty(claim)} ${claim.isPublic} ${claim.work}`;
}

/** A request without an organization takes turns with the organizations, as a party of its own. */
function organizationParty({ organizationId, userId, networks }: Claim): string {
  return organizationId ?? userId ?? `network ${networks.at(-1)}`;
}

function userParty({ userId, networks }: Claim): string {
  return userId ?? `network ${networks[0]}`;
}

function isBefore(a: Line, b: Line): boolean {
  const order =
    a.organization.lastTurn - b.organization.lastTurn ||
    a.user.lastTurn - b.user.lastTurn ||
    (a.waiters[0] as Waiter).arrival - (b.waiters[0] as Waiter).arrival;
  return order < 0;
}

function newParty(): Party {
  return { running: 0, slow: 0, heavy: 0, waiting: 0, lastTurn: 0 };
}

/** How many milliseconds a party counts as active after its last request: people click every few seconds. */
const attention = 10_000;

/** The organizations, or the users, with requests in flight. */
class Parties {
  readonly #parties = new Map<string, Party>();
  #asking: string | null = null;
  #changed = Number.NEGATIVE_INFINITY;

  get(id: string): Party {
    const known = this.#parties.get(id);
    if (known) return known;
    const party = newParty();
    this.#parties.set(id, party);
    return party;
  }

  tidy(id: string): void {
    const party = this.#parties.get(id);
    if (party?.running === 0 && party.waiting === 0) this.#parties.delete(id);
  }

  note(id: string | null): void {
    if (id === null || id === this.#asking) return;
    if (this.#asking !== null) this.#changed = performance.now();
    this.#asking = id;
  }

  /** Whether more than one party was active recently. */
  severalAsk(): boolean {
    return performance.now() - this.#changed < attention;
  }
}
