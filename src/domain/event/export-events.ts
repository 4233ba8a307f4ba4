import type { Delivery } from '#slow-readers';
import type { MemberContext } from '../../engine/context.ts';
import { type Exported, type ExportInput, readExport } from '../../engine/list/export.ts';
import { requireRole } from '../../kernel/request.ts';
import { recordExport } from '../audit/audit.ts';
import type { EventRow } from './event.resource.ts';
import { computeAll, eventList, readColumns } from './event.ts';
import { joinedCounts } from './subscription-counts.ts';

/**
 * Passes every event of the list to `write`, from one snapshot (reference/calendars-and-exports.md#exports).
 * @throws DomainError FORBIDDEN, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function exportEvents(
  ctx: MemberContext,
  input: ExportInput,
  write: (rows: Exported<EventRow>, delivery: Delivery) => Promise<void>,
): Promise<void> {
  requireRole(ctx, 'manager');
  const columns = input.columns.filter((name) => name !== 'subscription_counts');
  const source = {
    ...eventList(ctx, columns),
    joined: columns.length < input.columns.length ? joinedCounts : undefined,
  };
  await ctx.services.snapshots.read(ctx, async (snapshot) => {
    await recordExport(ctx, 'events.exported', input);
    const rows = readExport<EventRow>(ctx, snapshot, source, { ...input, columns: readColumns(columns) });
    await write(computed(ctx, rows, columns), snapshot.delivery);
  });
}

async function* computed(
  ctx: MemberContext,
  batches: Exported<EventRow>,
  columns: readonly string[],
): Exported<EventRow> {
  for await (const rows of batches) {
    computeAll(ctx, rows, columns);
    yield rows;
  }
}
