import { fault } from '../../kernel/errors.ts';

/** The number of rows of a list, up to a cap. */
export interface Count {
  /** Never above the cap, if there is one. */
  value: number;
  /** Whether the number is exact; if not, there are more. */
  exact: boolean;
}

/** Far above any "more than n"; beyond it a client wants the exact count. */
export const greatestCap = 1_000_000;

/**
 * The cap of a count; absent, the count is exact.
 *
 * @throws DomainError INVALID_QUERY
 */
export function parseCap(max: number | null | undefined): number | undefined {
  if (max === null || max === undefined) return undefined;
  if (Number.isInteger(max) && max >= 1 && max <= greatestCap) return max;
  throw fault('INVALID_QUERY', '/max', `\`max\` is a whole number from 1 to ${greatestCap}.`);
}

/** How many rows must be counted to know whether there are more than the cap. */
export function countLimit(max: number | undefined): number | undefined {
  return max === undefined ? undefined : max + 1;
}

/** The count as clients see it, from rows counted up to {@link countLimit}. */
export function capCount(counted: number, max: number | undefined): Count {
  return max === undefined || counted <= max ? { value: counted, exact: true } : { value: max, exact: false };
}
