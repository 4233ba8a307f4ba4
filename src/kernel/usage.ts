import { EventEmitter } from 'node:events';
import type { Span } from './tracing.ts';

/** What is left of a limit after an operation was counted. */
export interface Budget {
  /** The rule that it was counted by. */
  rule: string;
  /** How many operations the window takes. */
  quota: number;
  /** The length of the window, in seconds. */
  window: number;
  remaining: number;
  /** Seconds until the window ends. */
  reset: number;
}

/** The trace of the request that caused something, if that is traced (note 0064). */
export interface Caused {
  traceparent?: string;
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
  /** Who asked, once that is known: the id of a user or of the user that an API key is. */
  userId: string | null = null;
  /** The organization that it is about, once it may be. */
  organizationId: string | null = null;
  /** What is traced now: statements belong to it; null if nothing is. */
  span: Span | null = null;

  readonly #reportBudgets: (budgets: readonly Budget[]) => void;
  /** By rule; null if it was not counted. */
  #budgets: Map<string, Budget> | null = null;

  /** @param reportBudgets receives what is left of the limits that the request is counted under, whenever that changes */
  constructor(reportBudgets: (budgets: readonly Budget[]) => void = () => undefined) {
    this.#reportBudgets = reportBudgets;
  }

  /**
   * If a rule counts a request several times, the last count is reported.
   *
   * @param alone whether only these are reported, because the operation is refused for them
   */
  addBudgets(budgets: readonly Budget[], alone = false): void {
    if (budgets.length === 0) return;
    if (alone || this.#budgets === null) this.#budgets = new Map();
    for (const budget of budgets) this.#budgets.set(budget.rule, budget);
    this.#reportBudgets([...this.#budgets.values()]);
  }

  removeBudgets(rules: readonly string[]): void {
    if (this.#budgets === null) return;
    for (const rule of rules) this.#budgets.delete(rule);
    this.#reportBudgets([...this.#budgets.values()]);
  }

  /** Counts a statement, and begins its span if the request is traced. */
  beginStatement(text: string): Span | null {
    this.statements += 1;
    if (!this.span) return null;
    const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
    // without its values, which are parameters or may be personal
    return this.span.child(`db ${verb}`, 'client', { 'db.system.name': 'postgresql', 'db.operation.name': verb });
  }

  addCode(code: string): void {
    this.codes ??= [];
    this.codes.push(code);
  }

  /** What is stored with the work that the request causes, for the trace of that work. */
  get cause(): Caused {
    const traceparent = this.span?.traceparent;
    return traceparent === undefined ? {} : { traceparent };
  }
}

/** What metrics count besides requests (note 0064). */
interface Signals {
  /** A rule of `Limits` refused something. */
  limitHit: [rule: string];
  /** A session ended because an old refresh token was used again. */
  sessionReplayed: [];
  mailTried: [outcome: 'sent' | 'postponed' | 'failed'];
  webhookTried: [outcome: 'delivered' | 'failed'];
  /** Results of deliveries could not be stored. */
  webhookUnrecorded: [];
}

export const signals = new EventEmitter<Signals>();
