import { DomainError } from '../errors.ts';

/** Lets a bounded number of jobs run at once and a bounded number wait; beyond that it refuses. */
export class WorkQueue {
  readonly #concurrency: number;
  readonly #capacity: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /**
   * @param concurrency how many jobs run at once
   * @param capacity how many more may wait for their turn
   */
  constructor(concurrency: number, capacity: number) {
    this.#concurrency = concurrency;
    this.#capacity = capacity;
  }

  /**
   * Runs a job when its turn comes, in the order of the calls.
   *
   * @throws DomainError SERVICE_UNAVAILABLE where too many wait already
   */
  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#concurrency) {
      if (this.#waiting.length >= this.#capacity) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 5 });
      // whoever finishes hands its place over, so #running stays as it is
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await job();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
