import type { Delivery } from '#slow-readers';
import { type ViewerContext, withPerson } from '../../engine/context.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { requireOwned } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import { writeDocument } from './export-document.ts';
import { organizationDocument } from './organization-document.ts';

/**
 * Passes the document of an organization to `write`, from one snapshot (reference/leaving.md#exporting-an-organization).
 * @throws DomainError NOT_FOUND unless the viewer belongs to it; FORBIDDEN, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function exportOrganization(
  ctx: ViewerContext,
  id: string,
  write: (pieces: AsyncIterable<string>, delivery: Delivery) => Promise<void>,
): Promise<void> {
  withPerson(ctx);
  const { userId } = ctx.viewer;
  const membership = await requireOwned(ctx, id);
  const { organizationId } = membership;
  await spend(ctx, { rule: 'export', key: userId });
  // organizations take turns
  await ctx.services.snapshots.read({ ...ctx, membership }, async (snapshot) => {
    await recordAudit(ctx, { action: 'organization.exported', actorId: userId, organizationId });
    await write(writeDocument(snapshot, organizationDocument(organizationId)), snapshot.delivery);
  });
}
