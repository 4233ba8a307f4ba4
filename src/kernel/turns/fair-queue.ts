import { DomainError } from '../errors.ts';

export interface FairQueueOptions {
  /** How many jobs run at once. */
  concurrency: number;
  /** How many more may wait. */
  capacity: number;
  /** How many jobs of one path run at once. */
  pathConcurrency: number;
  /** How many jobs of one path may wait. */
  pathCapacity: number;
}

/** A waiting job, which is started, or refused to make room. */
interface Waiter {
  start: () => void;
  refuse: (reason: DomainError) => void;
}

/** A node in the tree of queues; jobs wait in the leaves. */
interface Line {
  /** In the order of turns: after its turn a queue moves to the end. */
  lines: Map<string, Line>;
  waiters: Waiter[];
  /** How many wait here and below. */
  waiting: number;
  /** How many run here and below. */
  running: number;
}

/**
 * Runs a limited number of jobs at once, fairly. Each job has a path, such as networks and an account: at each level the
 * queues take turns, so that a job waits for at most one job of each other queue, however long those are. If all places are
 * taken, the longest queue drops its newest job in favour of a shorter queue.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #root = emptyLine();

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /**
   * Runs a job when its turn comes.
   *
   * @param path who the job is for, from the widest group to the narrowest
   * @throws DomainError SERVICE_UNAVAILABLE if too many wait, or later, if the job is dropped to make room
   */
  async run<T>(path: readonly string[], job: () => Promise<T>): Promise<T> {
    const lines = this.#enter(path);
    try {
      await this.#turn(path, lines);
    } catch (error) {
      this.#leave(path, lines);
      throw error;
    }
    try {
      return await job();
    } finally {
      for (const line of lines) line.running -= 1;
      this.#leave(path, lines);
      this.#startNext();
    }
  }

  /** The queues of a path, from the root, created if missing. */
  #enter(path: readonly string[]): Line[] {
    const lines = [this.#root];
    for (const step of path) {
      const { lines: below } = lines.at(-1) as Line;
      const line = below.get(step) ?? emptyLine();
      below.set(step, line);
      lines.push(line);
    }
    return lines;
  }

  /** Removes the empty queues of a path. */
  #leave(path: readonly string[], lines: Line[]): void {
    for (const [index, step] of [...path.entries()].reverse()) {
      const line = lines[index + 1] as Line;
      const above = (lines[index] as Line).lines;
      // it may have been replaced in the meantime
      if (line.waiting === 0 && line.running === 0 && above.get(step) === line) above.delete(step);
    }
  }

  async #turn(path: readonly string[], lines: Line[]): Promise<void> {
    const { capacity, pathCapacity } = this.#options;
    const own = lines.at(-1) as Line;
    if (own.waiting === 0 && this.#mayStart(own)) {
      for (const line of lines) line.running += 1;
      return;
    }
    if (own.waiting >= pathCapacity) throw busy();
    if (this.#root.waiting >= capacity) this.#makeRoom(path);
    await new Promise<void>((start, refuse) => {
      own.waiters.push({ start, refuse });
      for (const line of lines) line.waiting += 1;
    });
  }

  #mayStart(line: Line): boolean {
    const { concurrency, pathConcurrency } = this.#options;
    return this.#root.running < concurrency && line.running < pathConcurrency;
  }

  #startNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const { lines, path } = next;
      for (const line of lines) {
        line.waiting -= 1;
        line.running += 1;
      }
      // after its turn a queue moves to the end, at each level
      for (const [index, step] of path.entries()) {
        const below = (lines[index] as Line).lines;
        below.delete(step);
        below.set(step, lines[index + 1] as Line);
      }
      lines.at(-1)?.waiters.shift()?.start();
    }
  }

  /** The path that is next, or null if no job may start. */
  #next(lines: Line[] = [this.#root], path: string[] = []): { lines: Line[]; path: string[] } | null {
    const line = lines.at(-1) as Line;
    if (line.waiting === 0) return null;
    if (line.waiters.length > 0) return this.#mayStart(line) ? { lines, path } : null;
    for (const [step, below] of line.lines) {
      const choice = this.#next([...lines, below], [...path, step]);
      if (choice) return choice;
    }
    return null;
  }

  /**
   * Refuses the newest job of the longest queue, to make room for a path whose queue is shorter.
   *
   * @throws DomainError SERVICE_UNAVAILABLE if the path's own queue is among the longest
   */
  #makeRoom(path: readonly string[]): void {
    const lines = [this.#root];
    let own = true;
    for (let line = this.#root; line.lines.size > 0; lines.push(line)) {
      const longest = [...line.lines.values()].reduce((a, b) => (b.waiting > a.waiting ? b : a));
      const mine: Line | undefined = own ? line.lines.get(path[lines.length - 1] as string) : undefined;
      own = mine !== undefined && longest.waiting <= mine.waiting + 1;
      line = own ? (mine as Line) : longest;
    }
    if (own) throw busy();
    for (const line of lines) line.waiting -= 1;
    lines.at(-1)?.waiters.pop()?.refuse(busy());
  }
}

function emptyLine(): Line {
  return { lines: new Map(), waiters: [], waiting: 0, running: 0 };
}

function busy(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 5 });
}
