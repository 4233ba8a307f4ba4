/** What the page shows about the last answer. */
export interface AnswerFacts {
  status: number;
  /** The maximum number of nodes that the operation could return; absent if it was refused. */
  cost?: number;
  milliseconds: number;
  /** The values of the variables that the page looked up. */
  filled: Record<string, string>;
}

/** Holds the facts about the last answer, and notifies listeners. */
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
