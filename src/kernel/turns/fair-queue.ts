import { DomainError } from '../errors.ts';
import type { Entrant, GiveUp, Rules, Turn, TurnRequest, Work } from './job.ts';

interface Waiter {
  arrival: number;
  start: (turn: Turn) => void;
  giveUp: GiveUp;
  timer: NodeJS.Timeout | undefined;
}

/** What waits of the same parties for the same kind of work, in the order of arrival: one at least. */
interface Line<Claim> {
  readonly key: string;
  readonly job: TurnRequest<Claim>;
  readonly waiters: Waiter[];
}

/**
 * Decides who is next. Jobs have a path, such as an organization and a user, or networks and an account: at each level
 * those who wait take turns, so that a job waits for about one job of each other party, however many those have. A newcomer goes
 * before the party that had the last turn and behind the others, so that newcomers keep nobody from a turn. If there is
 * no room, the longest line loses its newest job.
 */
export class FairQueue<Claim> {
  /** All parties together. */
  readonly all = newParty('');
  readonly #rules: Rules<Claim>;
  /** Those with jobs that run or wait, by the level of the path. */
  readonly #levels: Map<string, Entrant>[] = [];
  readonly #lines = new Map<string, Line<Claim>>();
  #turns = 0;
  #arrivals = 0;

  constructor(rules: Rules<Claim>) {
    this.#rules = rules;
  }

  /**
   * Calls `start` with the turn of a claim: at once if there is room, otherwise within the end of another turn.
   *
   * @param refuse gets SERVICE_UNAVAILABLE if the turn does not come in time, or if the job is dropped to make room; or
   *   the reason why the claim was cancelled
   * @returns what cancels the claim while it waits; null if it does not
   * @throws DomainError the rules' refusal; SERVICE_UNAVAILABLE if too many wait
   */
  enter(claim: Claim, start: (turn: Turn) => void, refuse: (reason: Error) => void): GiveUp | null {
    const job = this.#jobOf(claim);
    if (this.#rules.mayStart(job)) {
      start(this.#start(job));
      return null;
    }
    const refusal = this.#rules.refusal(job) ?? (this.#makeRoom(job) ? null : this.#busy());
    if (!refusal) return this.#wait(job, start, refuse);
    this.#tidy(job);
    throw refusal;
  }

  /** The turn of a claim if there is room now, without waiting. */
  takeAtOnce(claim: Claim): Turn | null {
    const job = this.#jobOf(claim);
    if (this.#rules.mayStart(job)) return this.#start(job);
    this.#tidy(job);
    return null;
  }

  /** Whether somebody waits. */
  get isWanted(): boolean {
    return this.all.waiting > 0;
  }

  #jobOf(claim: Claim): TurnRequest<Claim> {
    const rules = this.#rules;
    const path = rules.pathOf(claim).map((key, level) => this.#party(level, key));
    return { claim, work: rules.workOf(claim), path, group: rules.groupOf?.(claim) ?? null };
  }

  #party(level: number, key: string): Entrant {
    this.#levels[level] ??= new Map();
    const parties = this.#levels[level];
    const known = parties.get(key);
    if (known) return known;
    const party = newParty(key, this.#turns - 0.5);
    parties.set(key, party);
    return party;
  }

  #start(job: TurnRequest<Claim>): Turn {
    this.#turns += 1;
    for (const party of job.path) party.lastTurn = this.#turns;
    this.#countRunning(job, 1);
    return {
      end: () => {
        this.#countRunning(job, -1);
        this.#tidy(job);
        if (this.all.waiting > 0) this.#startNext();
      },
    };
  }

  #wait(job: TurnRequest<Claim>, start: (turn: Turn) => void, refuse: (reason: Error) => void): GiveUp {
    const line = this.#lineOf(job);
    const giveUp = (reason: Error) => {
      const place = line.waiters.indexOf(waiter);
      if (place === -1) return;
      this.#removeWaiter(line, place);
      this.#tidy(job);
      refuse(reason);
    };
    const { patience } = this.#rules;
    const timer = patience === null ? undefined : setTimeout(() => giveUp(this.#busy()), patience);
    this.#arrivals += 1;
    const waiter: Waiter = { arrival: this.#arrivals, start, giveUp, timer };
    line.waiters.push(waiter);
    this.#countWaiting(job, 1);
    return giveUp;
  }

  #lineOf(job: TurnRequest<Claim>): Line<Claim> {
    const key = [job.work, job.group?.key, ...job.path.map((party) => party.key)].join(' ');
    const known = this.#lines.get(key);
    if (known) return known;
    const line = { key, job, waiters: [] };
    this.#lines.set(key, line);
    return line;
  }

  #removeWaiter(line: Line<Claim>, place: number): Waiter {
    const [waiter] = line.waiters.splice(place, 1) as [Waiter];
    clearTimeout(waiter.timer);
    if (line.waiters.length === 0) this.#lines.delete(line.key);
    this.#countWaiting(line.job, -1);
    return waiter;
  }

  #startNext(): void {
    for (let line = this.#nextLine(); line; line = this.#nextLine()) {
      const { start } = this.#removeWaiter(line, 0);
      start(this.#start(line.job));
    }
  }

  /** Of the lines that may start, the one whose widest party had its last turn longest ago; likewise within it. */
  #nextLine(): Line<Claim> | null {
    let next: Line<Claim> | null = null;
    for (const line of this.#lines.values()) {
      if ((!next || isBefore(line, next)) && this.#rules.mayStart(line.job)) next = line;
    }
    return next;
  }

  /** Drops the newest job of the longest line if there is no room; false if none is longer than that of the given job. */
  #makeRoom(job: TurnRequest<Claim>): boolean {
    if (this.all.waiting < this.#rules.capacity) return true;
    this.#countWaiting(job, 1);
    let longest: Line<Claim> | null = null;
    for (const line of this.#lines.values()) {
      if (isLonger(line.job.path, (longest?.job ?? job).path)) longest = line;
    }
    this.#countWaiting(job, -1);
    longest?.waiters.at(-1)?.giveUp(this.#busy());
    return longest !== null;
  }

  #busy(): DomainError {
    return new DomainError('SERVICE_UNAVAILABLE', { retryAfter: this.#rules.retryAfter });
  }

  #countRunning({ work, path, group }: TurnRequest<Claim>, step: 1 | -1): void {
    countRunning(this.all, work, step);
    for (const party of path) countRunning(party, work, step);
    if (group) countRunning(group, work, step);
  }

  #countWaiting({ path }: TurnRequest<Claim>, step: 1 | -1): void {
    this.all.waiting += step;
    for (const party of path) party.waiting += step;
  }

  /** Removes the parties of a job that have no others. */
  #tidy({ path }: TurnRequest<Claim>): void {
    for (let level = 0; level < path.length; level += 1) {
      const party = path[level] as Entrant;
      if (party.running === 0 && party.waiting === 0) this.#levels[level]?.delete(party.key);
    }
  }
}

export function newParty(key: string, lastTurn = 0): Entrant {
  return { key, running: 0, slow: 0, heavy: 0, waiting: 0, lastTurn };
}

function countRunning(party: Entrant, work: Work, step: 1 | -1): void {
  party.running += step;
  if (work !== 'quick') party.slow += step;
  if (work === 'heavy') party.heavy += step;
}

function isBefore<Claim>(a: Line<Claim>, b: Line<Claim>): boolean {
  const level = a.job.path.findIndex((party, index) => party !== b.job.path[index]);
  const order = (a.job.path[level]?.lastTurn ?? 0) - (b.job.path[level]?.lastTurn ?? 0);
  return (order || (a.waiters[0] as Waiter).arrival - (b.waiters[0] as Waiter).arrival) < 0;
}

/** Compares the first parties on two paths that are not the same. */
function isLonger(a: readonly Entrant[], b: readonly Entrant[]): boolean {
  const level = a.findIndex((party, index) => party !== b[index]);
  return (a[level]?.waiting ?? 0) > (b[level]?.waiting ?? 0);
}
