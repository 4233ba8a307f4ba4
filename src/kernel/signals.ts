import type { Usage } from './usage.ts';

type Listener<Value> = (value: Value) => void;

/** Something that happens often and that metrics may count: costs a comparison while nobody listens (note 0064). */
class Signal<Value> {
  readonly #listeners = new Set<Listener<Value>>();

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  send(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }

  /** @returns stops listening */
  listen(listener: Listener<Value>): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** A request that is over. */
export interface EndedRequest {
  usage: Usage;
  /** Null if nothing was sent, since the client went away. */
  status: number | null;
  milliseconds: number;
}

export const signals = {
  request: new Signal<EndedRequest>(),
  /** A rule of `Limits` that refused something. */
  limitHit: new Signal<string>(),
  /** A session that ended because an old refresh token was used again. */
  sessionReplayed: new Signal<null>(),
  mailTried: new Signal<'sent' | 'postponed' | 'failed'>(),
  webhookTried: new Signal<'delivered' | 'failed'>(),
};
