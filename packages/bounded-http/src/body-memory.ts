import { HttpFault } from './fault.ts';

/** An unanswered request. */
interface Holder {
  /** Drops the body to free memory; false if it must stay. */
  giveUp(fault: HttpFault): boolean;
}

/**
 * Limits the total size of the bodies of unanswered requests. Over the limit, it drops the oldest body that is incomplete or
 * waits behind other requests of its connection: honest ones arrive within milliseconds.
 */
export class BodyMemory {
  readonly #limit: number;
  readonly #held = new Map<Holder, number>();
  #total = 0;

  /** @param limit in bytes; larger than the limit of one body */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Records how many bytes a body takes now. */
  hold(holder: Holder, bytes: number): void {
    this.#total += bytes - (this.#held.get(holder) ?? 0);
    this.#held.set(holder, bytes);
    if (this.#total <= this.#limit) return;
    const fault = new HttpFault(503, 'Too many request bodies are arriving at once.', 1);
    for (const oldest of this.#held.keys()) {
      if (oldest.giveUp(fault)) this.release(oldest);
      if (this.#total <= this.#limit) break;
    }
  }

  release(holder: Holder): void {
    this.#total -= this.#held.get(holder) ?? 0;
    this.#held.delete(holder);
  }
}
