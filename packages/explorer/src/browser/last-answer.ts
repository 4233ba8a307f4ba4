/** What the page shows about the last answer of a tab. */
export interface AnswerFacts {
  status: number;
  /** The maximum number of nodes that the operation could return; absent if it was refused. */
  cost?: number;
  /** Absent for a subscription, which has not ended. */
  milliseconds?: number;
  /** The values of the variables that the page looked up. */
  filled: Record<string, string>;
}

/** Holds the facts about the last answer of each tab, and notifies listeners. */
export class LastAnswer {
  #tab = '';
  readonly #facts = new Map<string, AnswerFacts | null>();
  readonly #listeners = new Set<() => void>();

  /** Those of the active tab, where GraphiQL shows each answer; null if it has none. */
  get facts(): AnswerFacts | null {
    return this.#facts.get(this.#tab) ?? null;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Sets the active tab. */
  show(tab: string): void {
    this.#tab = tab;
    this.#notify();
  }

  /** Sets the facts of the active tab. @param facts null if it has no answer now */
  set(facts: AnswerFacts | null): void {
    this.#facts.set(this.#tab, facts);
    this.#notify();
  }

  clearAll(): void {
    this.#facts.clear();
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
