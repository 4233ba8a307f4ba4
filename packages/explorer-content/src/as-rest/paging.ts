import type { NoTwin } from './request.ts';

type Arguments = Record<string, unknown>;

export function pageQuery(args: Arguments): { query: Record<string, string>; notes: string[] } | NoTwin {
  const { from, first = null, last = null, after, before, orderBy } = args;
  const { field = null, direction = null } = (orderBy ?? {}) as { field?: string | null; direction?: string | null };
  if (field !== null && field !== 'DATE_START') {
    return { reason: 'REST sorts events only by their start, in either direction.' };
  }
  const size = first ?? last;
  if (size === 0) return { reason: 'REST has no empty pages: count the list instead.' };
  if (after && (before || last !== null))
    return { reason: 'A REST page starts at one cursor and cannot end at another.' };
  if (before && first !== null) return { reason: 'A REST page starts at one cursor and cannot end at another.' };
  if (from && last !== null) return { reason: 'In REST, only the first page begins at a time.' };
  // the last items, or those before a cursor, are the first items or those after it in the opposite direction
  const fromEnd = last !== null || Boolean(before);
  const descending = (direction === 'DESC') !== fromEnd;
  const token = after || before;
  return {
    query: {
      ...(size === null ? {} : { limit: String(Math.min(Number(size), 50)) }),
      ...(token ? { token: String(token) } : {}),
      ...(from ? { from: String(from) } : {}),
      ...(descending ? { sort: '-1' } : {}),
    },
    notes: fromEnd ? ['The same items, in the opposite order.'] : [],
  };
}
