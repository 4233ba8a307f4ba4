import type { MemberContext } from '../../engine/context.ts';
import { type Exported, type ExportInput, readExport } from '../../engine/list/export.ts';
import type { Delivery } from '../../kernel/delivery.ts';
import { requireRole } from '../../kernel/request.ts';
import { recordExport } from '../audit/audit.ts';
import { type EventRow, eventResource } from './event.resource.ts';
import { visibleEvents } from './event.ts';

/**
 * Passes every event of the list to `write`, from one snapshot; for managers and owners
 * (interface/calendars-and-exports.md#exports).
 *
 * @throws DomainError FORBIDDEN, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function exportEvents(
  ctx: MemberContext,
  input: ExportInput,
  write: (rows: Exported<EventRow>, delivery: Delivery) => Promise<void>,
): Promise<void> {
  requireRole(ctx, 'manager');
  const source = { resource: eventResource, visible: visibleEvents(ctx, 't') };
  await ctx.services.snapshots.read(ctx, async (snapshot) => {
    await recordExport(ctx, 'events.exported', input);
    await write(readExport<EventRow>(ctx, snapshot, source, input), snapshot.delivery);
  });
}
