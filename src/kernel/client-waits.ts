import { DomainError } from './errors.ts';

/** The error of a request whose client has disconnected; it is never sent. */
export class ClientGone extends DomainError {
  constructor() {
    super('SERVICE_UNAVAILABLE', { detail: 'The client disconnected.' });
  }
}

/** Everything that a request is waiting for, to be cancelled when its client disconnects. */
export class ClientWaits {
  readonly #giveUps = new Set<(reason: Error) => void>();
  #gone = false;

  get isGone(): boolean {
    return this.#gone;
  }

  /** @throws ClientGone */
  requireClient(): void {
    if (this.#gone) throw new ClientGone();
  }

  add(giveUp: (reason: Error) => void): void {
    this.#giveUps.add(giveUp);
  }

  delete(giveUp: (reason: Error) => void): void {
    this.#giveUps.delete(giveUp);
  }

  /** Cancels everything, now and from now on; returns whether there was anything to cancel. Transactions run to completion. */
  clientGone(): boolean {
    this.#gone = true;
    for (const giveUp of this.#giveUps) giveUp(new ClientGone());
    return this.#giveUps.size > 0;
  }
}
