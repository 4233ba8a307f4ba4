import type { ServerResponse } from 'node:http';
import type { Budget } from '../kernel/usage.ts';

/** Structured fields (RFC 9651) as in draft-ietf-httpapi-ratelimit-headers-10 (reference/limits.md#budgets). */
export function setBudgetHeaders(response: ServerResponse, budgets: readonly Budget[]): void {
  if (response.headersSent) return;
  const name = ({ rule }: Budget) => `"${rule.replaceAll('_', '-')}"`;
  const fields = {
    'ratelimit-policy': budgets.map((each) => `${name(each)};q=${each.quota};w=${each.window}`),
    ratelimit: budgets.map((each) => `${name(each)};r=${each.remaining};t=${each.reset}`),
  };
  for (const [field, values] of Object.entries(fields)) {
    if (values.length === 0) response.removeHeader(field);
    else response.setHeader(field, values.join(', '));
  }
}
