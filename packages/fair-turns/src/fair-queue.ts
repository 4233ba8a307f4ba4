import { Entrant } from './entrant.ts';
import type { GiveUp, Rules, Turn, TurnRequest } from './rules.ts';

interface Waiter {
  arrival: number;
  start: (turn: Turn) => void;
  giveUp: GiveUp;
  timer: NodeJS.Timeout | undefined;
}

/** The waiting jobs of the same parties and kind, at least one, in the order of arrival. */
interface Line<Claim, Kind extends string> {
  readonly key: string;
  readonly job: TurnRequest<Claim, Kind>;
  readonly waiters: Waiter[];
}

/**
 * Decides who is next. Jobs have a path, such as an organization and a user: at each level the waiting parties take turns, so
 * that a job waits for about one job of each other party. A newcomer goes before the party that had the last turn and behind
 * the others. If there is no room, the longest line loses its newest job.
 */
export class FairQueue<Claim, Kind extends string = string> {
  /** All parties together. */
  readonly all = new Entrant<Kind>('');
  readonly #rules: Rules<Claim, Kind>;
  /** The parties with jobs that run or wait, by the level of the path. */
  readonly #levels: Map<string, Entrant<Kind>>[] = [];
  readonly #lines = new Map<string, Line<Claim, Kind>>();
  #turns = 0;
  #arrivals = 0;

  constructor(rules: Rules<Claim, Kind>) {
    this.#rules = rules;
  }

  /**
   * Calls `start` with the turn of a claim: at once if there is room, otherwise at the end of another turn.
   *
   * @param refuse gets the rules' `busy` error if the turn does not come in time or the job is dropped to make room; or the
   *   reason why the claim was cancelled
   * @returns cancels the claim; null if it does not wait
   * @throws the rules' refusal; `busy` if too many wait
   */
  enter(claim: Claim, start: (turn: Turn) => void, refuse: (reason: Error) => void): GiveUp | null {
    const job = this.#jobOf(claim);
    if (this.#rules.mayStart(job)) {
      start(this.#start(job));
      return null;
    }
    const refusal = this.#rules.refusal(job) ?? (this.#makeRoom(job) ? null : this.#rules.busy());
    if (!refusal) return this.#wait(job, start, refuse);
    this.#tidy(job);
    throw refusal;
  }

  /** The turn of a claim if there is room now. */
  takeAtOnce(claim: Claim): Turn | null {
    const job = this.#jobOf(claim);
    if (this.#rules.mayStart(job)) return this.#start(job);
    this.#tidy(job);
    return null;
  }

  #jobOf(claim: Claim): TurnRequest<Claim, Kind> {
    const rules = this.#rules;
    const path = rules.pathOf(claim).map((key, level) => this.#party(level, key));
    return { claim, kind: rules.kindOf(claim), path, group: rules.groupOf?.(claim) ?? null };
  }

  #party(level: number, key: string): Entrant<Kind> {
    this.#levels[level] ??= new Map();
    const parties = this.#levels[level];
    const known = parties.get(key);
    if (known) return known;
    const party = new Entrant<Kind>(key, this.#turns - 0.5);
    parties.set(key, party);
    return party;
  }

  #start(job: TurnRequest<Claim, Kind>): Turn {
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

  #wait(job: TurnRequest<Claim, Kind>, start: (turn: Turn) => void, refuse: (reason: Error) => void): GiveUp {
    const line = this.#lineOf(job);
    const giveUp = (reason: Error) => {
      const place = line.waiters.indexOf(waiter);
      if (place === -1) return;
      this.#removeWaiter(line, place);
      this.#tidy(job);
      refuse(reason);
    };
    const { patience } = this.#rules;
    const timer = patience === null ? undefined : setTimeout(() => giveUp(this.#rules.busy()), patience);
    this.#arrivals += 1;
    const waiter: Waiter = { arrival: this.#arrivals, start, giveUp, timer };
    line.waiters.push(waiter);
    this.#countWaiting(job, 1);
    return giveUp;
  }

  #lineOf(job: TurnRequest<Claim, Kind>): Line<Claim, Kind> {
    const key = [job.kind, job.group?.key, ...job.path.map((party) => party.key)].join(' ');
    const known = this.#lines.get(key);
    if (known) return known;
    const line = { key, job, waiters: [] };
    this.#lines.set(key, line);
    return line;
  }

  #removeWaiter(line: Line<Claim, Kind>, place: number): Waiter {
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

  /** Of the lines that may start, one of the least recently served widest party, and so on within it. */
  #nextLine(): Line<Claim, Kind> | null {
    let next: Line<Claim, Kind> | null = null;
    for (const line of this.#lines.values()) {
      if ((!next || isBefore(line, next)) && this.#rules.mayStart(line.job)) next = line;
    }
    return next;
  }

  /** Drops the newest job of the longest line if there is no room; false if the given job's is the longest. */
  #makeRoom(job: TurnRequest<Claim, Kind>): boolean {
    if (this.all.waiting < this.#rules.capacity) return true;
    this.#countWaiting(job, 1);
    let longest: Line<Claim, Kind> | null = null;
    for (const line of this.#lines.values()) {
      if (isLonger(line.job.path, (longest?.job ?? job).path)) longest = line;
    }
    this.#countWaiting(job, -1);
    longest?.waiters.at(-1)?.giveUp(this.#rules.busy());
    return longest !== null;
  }

  #countRunning({ kind, path, group }: TurnRequest<Claim, Kind>, step: 1 | -1): void {
    this.all.countRunning(kind, step);
    for (const party of path) party.countRunning(kind, step);
    group?.countRunning(kind, step);
  }

  #countWaiting({ path }: TurnRequest<Claim, Kind>, step: 1 | -1): void {
    this.all.waiting += step;
    for (const party of path) party.waiting += step;
  }

  /** Removes the parties of a job that have no others. */
  #tidy({ path }: TurnRequest<Claim, Kind>): void {
    for (let level = 0; level < path.length; level += 1) {
      const party = path[level] as Entrant<Kind>;
      if (party.running === 0 && party.waiting === 0) this.#levels[level]?.delete(party.key);
    }
  }
}

function isBefore<Claim, Kind extends string>(a: Line<Claim, Kind>, b: Line<Claim, Kind>): boolean {
  const level = a.job.path.findIndex((party, index) => party !== b.job.path[index]);
  const order = (a.job.path[level]?.lastTurn ?? 0) - (b.job.path[level]?.lastTurn ?? 0);
  return (order || (a.waiters[0] as Waiter).arrival - (b.waiters[0] as Waiter).arrival) < 0;
}

/** Compares the first parties on two paths that are not the same. */
function isLonger(a: readonly Pick<Entrant, 'waiting'>[], b: readonly Pick<Entrant, 'waiting'>[]): boolean {
  const level = a.findIndex((party, index) => party !== b[index]);
  return (a[level]?.waiting ?? 0) > (b[level]?.waiting ?? 0);
}
