import { DomainError } from '../kernel/errors.ts';

/** The body of a request without a response yet. */
export interface HeldBody {
  /** Refuses its request while it is arriving. */
  refuse(error: DomainError): void;
  /** Drops it to make room; false if its request is being answered, so that it has to stay. */
  giveUp(error: DomainError): boolean;
  /** Its exchange is over. */
  release(): void;
}

/**
 * Limits the total bytes of the bodies of all requests without a response. Beyond the limit the oldest body that is still
 * arriving, or waits for earlier responses on its connection, is dropped: an honest body arrives within milliseconds and is
 * answered next, so a client that fills the memory with incomplete bodies, or with bodies behind a slow request, loses
 * those.
 */
export class BodyMemory {
  readonly #limit: number;
  readonly #held = new Map<HeldBody, number>();
  #total = 0;

  /** @param limit bytes; larger than the limit of one body */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Records how many bytes a body takes now. */
  hold(body: HeldBody, bytes: number): void {
    this.#total += bytes - (this.#held.get(body) ?? 0);
    this.#held.set(body, bytes);
    if (this.#total <= this.#limit) return;
    const error = new DomainError('SERVICE_UNAVAILABLE', {
      detail: 'Too many request bodies are arriving at once.',
      retryAfter: 1,
    });
    for (const oldest of this.#held.keys()) {
      if (oldest.giveUp(error)) this.release(oldest);
      if (this.#total <= this.#limit) break;
    }
  }

  /** Removes a body that was refused or dropped, or whose request is answered. */
  release(body: HeldBody): void {
    this.#total -= this.#held.get(body) ?? 0;
    this.#held.delete(body);
  }
}
