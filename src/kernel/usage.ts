import { EventEmitter } from 'node:events';
import type { Span } from '#otlp-traces';

/** What is left of a limit after an operation was counted. */
export interface Budget {
  rule: string;
  /** Operations in a window. */
  quota: number;
  /** Seconds. */
  window: number;
  remaining: number;
  /** Seconds until the window ends. */
  reset: number;
}

/** The trace of the request that caused something (note 0064). */
export interface Caused {
  traceparent?: string;
}

/** What one request is and has used so far, for metrics and traces. */
export class Usage {
  /** The API. */
  face = 'other';
  /** An `operationId`, a root field such as `Query.events`, or the name of a trusted document; never a client's name. */
  operation = 'other';
  /** Of a GraphQL operation. */
  rootFields: readonly string[] = [];
  /** Of a GraphQL operation. */
  cost = 0;
  /** Statements sent to the database, without `begin` and `commit`. */
  statements = 0;
  /** The errors of the response. */
  codes: string[] | null = null;
  /** Once it is known; an API key has a user, too. */
  userId: string | null = null;
  organizationId: string | null = null;
  /** The parent of the spans of statements. */
  span: Span | null = null;

  readonly #reportBudgets: (budgets: readonly Budget[]) => void;
  /** By rule; null if nothing was counted. */
  #budgets: Map<string, Budget> | null = null;

  /** @param reportBudgets called whenever a budget changes */
  constructor(reportBudgets: (budgets: readonly Budget[]) => void = () => undefined) {
    this.#reportBudgets = reportBudgets;
  }

  /** @param alone whether only these are reported, because the operation is refused for them */
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

  /** For an operation that is refused for a limit without a budget, such as that of a maker. */
  removeUnspentBudgets(): void {
    const budgets = [...(this.#budgets?.values() ?? [])];
    this.removeBudgets(budgets.filter(({ remaining }) => remaining > 0).map(({ rule }) => rule));
  }

  /** Counts a statement, and begins its span if the request is traced. */
  beginStatement(text: string): Span | null {
    this.statements += 1;
    if (!this.span) return null;
    const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
    // without the text, which may contain personal data
    return this.span.child(`db ${verb}`, 'client', { 'db.system.name': 'postgresql', 'db.operation.name': verb });
  }

  addCode(code: string): void {
    this.codes ??= [];
    this.codes.push(code);
  }

  /** Stored with the work that the request causes. */
  get cause(): Caused {
    const traceparent = this.span?.traceparent;
    return traceparent === undefined ? {} : { traceparent };
  }
}

/** What metrics count (note 0064). */
interface Signals {
  /** The status is 0 if the client disconnected before anything was sent. */
  requestEnded: [usage: Usage, status: number, milliseconds: number];
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
