import type { EventRow } from '../../domain/event/event.resource.ts';
import { subscriptionCountsLoader } from '../../domain/subscription/subscription-counts.ts';
import type { MemberContext } from '../../engine/context.ts';
import { pick } from '../../kernel/pick.ts';

const counts = 'subscription_counts';

/** The columns that the fields need. */
export function eventFieldColumns(fields: readonly string[]): string[] {
  return ['id', ...fields.filter((name) => name !== counts)];
}

/** Presents events; the counts of their subscriptions cost one statement, regardless of the page size. */
export async function presentEvents(
  ctx: MemberContext,
  rows: readonly EventRow[],
  fields: readonly string[],
): Promise<Record<string, unknown>[]> {
  const loader = fields.includes(counts) ? subscriptionCountsLoader(ctx) : null;
  const found = await Promise.all(rows.map((row) => loader?.load(row.id)));
  return rows.map((row, index) => pick({ ...row, [counts]: found[index] }, fields));
}
