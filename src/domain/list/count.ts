import { fault } from '../errors.ts';

/** How many rows a list holds, counted no further than was asked. */
export interface Count {
  /** Never above the cap, where there is one. */
  value: number;
  /** Whether there are just so many; otherwise there are more. */
  exact: boolean;
}

/** Far above what anybody shows as "more than"; whoever wants to know beyond it wants the exact count. */
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

/** How far rows must be counted to know whether a cap is passed. */
export function countLimit(max: number | undefined): number | undefined {
  return max === undefined ? undefined : max + 1;
}

/** What was counted, up to {@link countLimit}, in the words of the client. */
export function capCount(counted: number, max: number | undefined): Count {
  return max === undefined || counted <= max ? { value: counted, exact: true } : { value: max, exact: false };
}
