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

/**
 * The budgets as the fields of a response: structured fields (RFC 9651) as in draft-ietf-httpapi-ratelimit-headers-10
 * (interface/bounds.md#budgets).
 */
export function budgetFields(budgets: Iterable<Budget>): { policy: string; left: string } {
  const policies: string[] = [];
  const lefts: string[] = [];
  for (const { rule, quota, window, remaining, reset } of budgets) {
    const name = `"${rule.replaceAll('_', '-')}"`;
    policies.push(`${name};q=${quota};w=${window}`);
    lefts.push(`${name};r=${remaining};t=${reset}`);
  }
  return { policy: policies.join(', '), left: lefts.join(', ') };
}
