import sql from 'sql-template-tag';
import { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { row } from '../database.ts';
import { DomainError } from '../errors.ts';
import { displayName } from '../input/text.ts';
import { lockingOrganization } from './lock.ts';
import { signupPolicies } from './organization.entity.ts';

export const changeOrganizationInput = z.strictObject({
  name: displayName.optional(),
  signup: z.enum(signupPolicies).optional(),
});

/**
 * Changes the name of the organization, or who may join it; for owners. Its slug stays, since links hold it.
 *
 * @throws DomainError FORBIDDEN
 */
export async function changeOrganization(
  ctx: MemberContext,
  input: z.output<typeof changeOrganizationInput>,
): Promise<void> {
  await lockingOrganization(ctx, async ({ ctx: locked, em, role }) => {
    if (role !== 'owner') throw new DomainError('FORBIDDEN');
    const changes = Object.entries(input).filter(([, value]) => value !== undefined);
    if (changes.length === 0) return;
    const { organizationId } = ctx.membership;
    await row(
      em,
      sql`update organization set name = coalesce(${input.name ?? null}, name),
        signup = coalesce(${input.signup ?? null}, signup) where id = ${organizationId}::uuid`,
    );
    const actorId = ctx.viewer.userId;
    const detail = Object.fromEntries(changes);
    await recordAudit(locked, { action: 'organization.changed', organizationId, actorId, detail });
  });
}
