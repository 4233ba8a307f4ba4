import { performance } from 'node:perf_hooks';
import { DomainError } from '../kernel/errors.ts';
import { probes } from './exchange.ts';

/** Milliseconds between two looks at the process. */
const interval = 100;

/** Fewer requests at once are no overload, whatever else the process does. */
const fewest = 100;

/** The part of the time from which on the event loop counts as busy: otherwise requests wait for something else. */
const busy = 0.9;

/** What takes longer than so many times the longest wait waits for a change, a lock or a slow reader. */
const patience = 4;

// one for all: to make an error costs a good part of a refusal
const overloaded = new DomainError('SERVICE_UNAVAILABLE', { detail: 'The service is overloaded.', retryAfter: 1 });

/** Numbers of requests in flight by client. */
class Crowd {
  readonly clients = new Map<string, number>();
  total = 0;

  add(client: string, count: number): void {
    this.total += count;
    const sum = (this.clients.get(client) ?? 0) + count;
    if (sum === 0) this.clients.delete(client);
    else this.clients.set(client, sum);
  }
}

/**
 * Refuses requests that the process could not answer in time, so that the others are (note 0063): a refusal costs a
 * fraction of an answer, and answers that come too late help nobody.
 *
 * By Little's law, those in flight take as long as the process needs to answer as many. So no more are let in than it
 * answered lately within the longest wait. The clients share that number: one that sends much is refused before others.
 */
export class Pressure {
  readonly #maxWait: number;
  readonly #timer: NodeJS.Timeout | undefined;
  /** By the interval in which they began, oldest first; those that began before wait for something else than the process. */
  readonly #began: Crowd[] = [];
  /** All of those. */
  readonly #crowd = new Crowd();
  #now = new Crowd();
  #ended = 0;
  /** How many it answers per millisecond, as of lately. */
  #rate = 0;
  #isBusy = false;
  #lastLook = performance.now();
  #lastUse = performance.eventLoopUtilization();

  /** @param maxWait milliseconds that a request may take when the process is busy, about; 0 refuses none */
  constructor(maxWait: number) {
    this.#maxWait = maxWait;
    if (maxWait > 0) this.#timer = setInterval(() => this.#look(), interval).unref();
  }

  /** Counts a request of a client. @returns to be called when it is over */
  enter(client: string): () => void {
    const began = this.#now;
    began.add(client, 1);
    this.#crowd.add(client, 1);
    return () => {
      this.#ended += 1;
      if (began.total === 0) return;
      began.add(client, -1);
      this.#crowd.add(client, -1);
    };
  }

  /** The error of a request that must not be let in; null if it may. */
  refusal(client: string, path: string): DomainError | null {
    if (!this.#isBusy) return null;
    const { clients, total } = this.#crowd;
    const room = Math.max(fewest, this.#rate * this.#maxWait);
    if (total < room || probes.includes(path)) return null;
    const own = clients.get(client) ?? 0;
    if (own + 1 <= room / (clients.size + (own === 0 ? 1 : 0))) return null;
    return overloaded;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    const use = performance.eventLoopUtilization();
    this.#isBusy = performance.eventLoopUtilization(use, this.#lastUse).utilization >= busy;
    // about the last half second counts
    this.#rate = (4 * this.#rate + this.#ended / (now - this.#lastLook)) / 5;
    this.#lastLook = now;
    this.#lastUse = use;
    this.#ended = 0;
    this.#began.push(this.#now);
    this.#now = new Crowd();
    if (this.#began.length * interval > patience * this.#maxWait) this.#forget(this.#began.shift() as Crowd);
  }

  #forget(oldest: Crowd): void {
    for (const [client, count] of [...oldest.clients]) {
      this.#crowd.add(client, -count);
      oldest.add(client, -count);
    }
  }
}
