/** The names under which connections keep statements. */
class StatementNames {
  readonly #names = new Set<string>();
  #removals = 0;

  /** The number of removed names: connections check for their own when this has changed. */
  get removals(): number {
    return this.#removals;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(name: string): void {
    this.#names.add(name);
  }

  delete(name: string): void {
    if (this.#names.delete(name)) this.#removals += 1;
  }
}

export const keptNames = new StatementNames();
