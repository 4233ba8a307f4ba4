import sql from 'sql-template-tag';
import { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { row } from '../database.ts';
import { DomainError } from '../errors.ts';
import { shapeRow } from '../list/row.ts';
import { parseUuid } from '../uuid.ts';
import { type LockedOrganization, lockingOrganization } from './lock.ts';
import { type OrganizationRole, organizationRoles } from './membership.entity.ts';
import { canGrant } from './membership.policy.ts';
import { type MembershipRow, membershipResource } from './membership.resource.ts';

export const roleInput = z.strictObject({ role: z.enum(organizationRoles) });

/**
 * Gives a member another role. Owners give and take any; managers make managers of members and the reverse.
 *
 * @throws DomainError NOT_FOUND for who is not there or not for the viewer's eyes; FORBIDDEN for what the viewer may not
 * give or take; CONFLICT where the organization would be left without an owner
 */
export async function changeMemberRole(
  ctx: MemberContext,
  input: { id: string; role: OrganizationRole },
): Promise<MembershipRow> {
  const target = await lockingOrganization(ctx, async (locked) => {
    const found = await requireTarget(locked, input.id);
    if (!canGrant(locked.role, found.role) || !canGrant(locked.role, input.role)) throw new DomainError('FORBIDDEN');
    if (found.role === input.role) return found;
    await requireOtherOwner(locked, found);
    await row(locked.em, sql`update membership set role = ${input.role} where id = ${found.id}::uuid`);
    await recordChange(locked, found, 'member.role_changed', { from: found.role, to: input.role });
    return { ...found, role: input.role };
  });
  ctx.services.access.forgetUser(target.user_id);
  return target;
}

/**
 * Takes a member out of the organization; everyone may leave. Holds from the next request on.
 *
 * @returns who was removed
 * @throws DomainError as {@link changeMemberRole}
 */
export async function removeMember(ctx: MemberContext, input: { id: string }): Promise<MembershipRow> {
  const target = await lockingOrganization(ctx, async (locked) => {
    const found = await requireTarget(locked, input.id);
    const leaves = found.user_id === ctx.viewer.userId;
    if (!leaves && !canGrant(locked.role, found.role)) throw new DomainError('FORBIDDEN');
    await requireOtherOwner(locked, found);
    await recordChange(locked, found, leaves ? 'member.left' : 'member.removed', { role: found.role });
    await row(locked.em, sql`delete from membership where id = ${found.id}::uuid`);
    return found;
  });
  ctx.services.access.forgetUser(target.user_id);
  return target;
}

/** The membership that is to change, under the rule of who sees whom (membership.policy.ts) and the role of this moment. */
async function requireTarget({ em, ctx, role }: LockedOrganization, id: string): Promise<MembershipRow> {
  const uuid = parseUuid(id);
  const found =
    uuid &&
    (await row<Record<string, unknown>>(
      em,
      sql`select id, organization_id, user_id, role, created_at from membership
        where id = ${uuid}::uuid and organization_id = ${ctx.membership.organizationId}::uuid`,
    ));
  if (!found || (role === 'member' && found.user_id !== ctx.viewer.userId)) throw new DomainError('NOT_FOUND');
  return shapeRow<MembershipRow>(membershipResource, found);
}

async function requireOtherOwner({ em, ctx }: LockedOrganization, target: MembershipRow): Promise<void> {
  if (target.role !== 'owner') return;
  const other = await row(
    em,
    sql`select from membership where organization_id = ${ctx.membership.organizationId}::uuid and role = 'owner'
      and id <> ${target.id}::uuid limit 1`,
  );
  if (!other) throw new DomainError('CONFLICT', { detail: 'An organization needs an owner.' });
}

async function recordChange(
  { ctx }: LockedOrganization,
  target: MembershipRow,
  action: string,
  detail: Record<string, unknown>,
): Promise<void> {
  const { organizationId } = ctx.membership;
  await recordAudit(ctx, { action, organizationId, actorId: ctx.viewer.userId, subjectId: target.user_id, detail });
}
