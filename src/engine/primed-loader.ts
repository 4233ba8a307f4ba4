import DataLoader from 'dataloader';

/** A loader that lists fill with rows. It returns those without a promise, which would cost more than the row. */
export class PrimedLoader<Value> extends DataLoader<string, Value | null> {
  readonly #primed = new Map<string, Value>();

  find(key: string): Value | Promise<Value | null> {
    return this.#primed.get(key) ?? super.load(key);
  }

  override load(key: string): Promise<Value | null> {
    return Promise.resolve(this.find(key));
  }

  /** The first value of a key in a request stays. */
  fill(key: string, value: Value): void {
    if (!this.#primed.has(key)) this.#primed.set(key, value);
  }

  override clearAll(): this {
    this.#primed.clear();
    return super.clearAll();
  }
}
