/** What the page tells of the last answer. */
export interface AnswerFacts {
  status: number;
  /** The nodes that the operation could have had; absent if it was refused. */
  cost?: number;
  milliseconds: number;
  /** The values of the variables that the page looked up. */
  filled: Record<string, string>;
}

/** Holds the facts of the last answer for whoever shows them. */
export class LastAnswer {
  facts: AnswerFacts | null = null;
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(facts: AnswerFacts): void {
    this.facts = facts;
    for (const listener of this.#listeners) listener();
  }
}
