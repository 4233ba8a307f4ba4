import type { Usage } from '../usage.ts';
import type { LimitKey, Limits } from './limits.ts';

/** What an operation is counted for: its response says what is left. */
interface Spender {
  services: { limits: Limits };
  usage: Usage;
}

/**
 * Counts an operation under each key, and tells the client what is left (interface/bounds.md#budgets).
 *
 * @throws DomainError RATE_LIMITED with the seconds to wait, if a key is over its limit
 */
export async function spend({ services, usage }: Spender, ...keys: LimitKey[]): Promise<void> {
  await services.limits.takeAndTell(keys, (budgets) => usage.addBudgets(budgets));
}

/** Undoes the counts of an operation, and takes back what its response would say of them. */
export async function giveBack({ services, usage }: Spender, ...keys: LimitKey[]): Promise<void> {
  usage.removeBudgets(keys.map(({ rule }) => rule));
  await Promise.all(keys.map((key) => services.limits.giveBack(key)));
}
