import { type Budget, budgetFields } from './budget.ts';
import type { Span } from './tracing.ts';

/** Where the budgets of a request are told: the head of its response. */
export interface ResponseHead {
  readonly headersSent: boolean;
  setHeader(name: string, value: string): unknown;
  removeHeader(name: string): void;
}

/** What one request is and has used so far, for metrics and traces. */
export class Usage {
  /** The interface that it came to. */
  face = 'other';
  /**
   * From a fixed set, never a name that a client chooses: an `operationId`, a root field such as `Query.events`, or the name of
   * a trusted document.
   */
  operation = 'other';
  /** The root fields of a GraphQL operation, from those of the schema. */
  rootFields: readonly string[] = [];
  /** The cost of a GraphQL operation. */
  cost = 0;
  /** Statements sent to the database, without `begin` and `commit`. */
  statements = 0;
  /** The errors of the response, or null: most have none. */
  codes: string[] | null = null;
  /** What is traced now: statements belong to it; null if nothing is. */
  span: Span | null = null;

  /** Receives what is left of the limits that the request is counted under; null if there is no response. */
  readonly #head: ResponseHead | null;
  /** By rule; null if it was not counted. */
  #budgets: Map<string, Budget> | null = null;

  constructor(head: ResponseHead | null = null) {
    this.#head = head;
  }

  /** Of several counts by one rule, the last is told. */
  addBudgets(budgets: readonly Budget[]): void {
    if (budgets.length === 0) return;
    this.#budgets ??= new Map();
    for (const budget of budgets) this.#budgets.set(budget.rule, budget);
    this.#tellBudgets(this.#budgets);
  }

  removeBudgets(rules: readonly string[]): void {
    if (this.#budgets === null) return;
    for (const rule of rules) this.#budgets.delete(rule);
    this.#tellBudgets(this.#budgets);
  }

  addCode(code: string): void {
    this.codes ??= [];
    this.codes.push(code);
  }

  #tellBudgets(budgets: Map<string, Budget>): void {
    if (!this.#head || this.#head.headersSent) return;
    const { policy, left } = budgetFields(budgets.values());
    for (const [name, value] of [
      ['ratelimit-policy', policy],
      ['ratelimit', left],
    ] as const) {
      if (value === '') this.#head.removeHeader(name);
      else this.#head.setHeader(name, value);
    }
  }
}
