import DataLoader from 'dataloader';

/**
 * A loader that lists fill with the rows they read along. What it was filled with, it gives without a promise: one for
 * each row of a page costs more than the row.
 */
export class PrimedLoader<Value> extends DataLoader<string, Value | null> {
  readonly #primed = new Map<string, Value>();

  /** The value itself where it is there already, or else what {@link load} gives. */
  find(key: string): Value | Promise<Value | null> {
    return this.#primed.get(key) ?? super.load(key);
  }

  override load(key: string): Promise<Value | null> {
    return Promise.resolve(this.find(key));
  }

  /** Overrides nothing: the first value that a key had in this request stays. */
  fill(key: string, value: Value): void {
    if (!this.#primed.has(key)) this.#primed.set(key, value);
  }

  override clearAll(): this {
    this.#primed.clear();
    return super.clearAll();
  }
}
