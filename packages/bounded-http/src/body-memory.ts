import { HttpFault } from './fault.ts';

/** An unanswered request. */
interface Holder {
  /** What its body takes; only changed by {@link BodyMemory}. */
  heldBytes: number;
  /** Drops the body to free memory; false if it must stay. */
  giveUp(fault: HttpFault): boolean;
}

/**
 * Limits the total size of the bodies of unanswered requests. Over the limit, it drops the oldest body that is incomplete or
 * waits behind other requests of its connection: honest ones arrive within milliseconds.
 */
export class BodyMemory {
  readonly #limit: number;
  /** Oldest first. Not a map: V8 would keep the requests that were in the tables which it has outgrown (note 0034). */
  readonly #holders: Holder[] = [];
  #total = 0;

  /** @param limit in bytes; larger than the limit of one body */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Records how many bytes a body takes now. */
  hold(holder: Holder, bytes: number): void {
    if (holder.heldBytes === 0) this.#holders.push(holder);
    this.#total += bytes - holder.heldBytes;
    holder.heldBytes = bytes;
    if (this.#total <= this.#limit) return;
    const fault = new HttpFault(503, 'Too many request bodies are arriving at once.', 1);
    for (const oldest of [...this.#holders]) {
      if (oldest.giveUp(fault)) this.release(oldest);
      if (this.#total <= this.#limit) break;
    }
  }

  release(holder: Holder): void {
    if (holder.heldBytes === 0) return;
    this.#total -= holder.heldBytes;
    holder.heldBytes = 0;
    this.#holders.splice(this.#holders.indexOf(holder), 1);
  }
}
