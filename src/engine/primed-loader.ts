import DataLoader from 'dataloader';

/**
 * A loader that lists prime with rows they have read along with their own. It returns those without a promise, since one
 * promise per row of a page costs more than the row.
 */
export class PrimedLoader<Value> extends DataLoader<string, Value | null> {
  readonly #primed = new Map<string, Value>();

  /** The value itself if it is already loaded, otherwise the promise of {@link load}. */
  find(key: string): Value | Promise<Value | null> {
    return this.#primed.get(key) ?? super.load(key);
  }

  override load(key: string): Promise<Value | null> {
    return Promise.resolve(this.find(key));
  }

  /** Does not overwrite: the first value of a key in a request stays. */
  fill(key: string, value: Value): void {
    if (!this.#primed.has(key)) this.#primed.set(key, value);
  }

  override clearAll(): this {
    this.#primed.clear();
    return super.clearAll();
  }
}
