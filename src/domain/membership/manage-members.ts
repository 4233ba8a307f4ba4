import sql from 'sql-template-tag';
import { z } from 'zod';
import { type Command, noFields } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import { shapeRow } from '../../engine/list/list.sql.ts';
import { provenMemberships } from '../../engine/memberships.ts';
import { afterCommit } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type OrganizationRole, organizationRoles } from '../../kernel/roles.ts';
import { parseUuid } from '../../kernel/uuid.ts';
import { recordAudit } from '../audit/audit.ts';
import { endInvitations } from '../invitation/invitation.policy.ts';
import { type LockedOrganization, lockingOrganization } from '../organization/lock.ts';
import { Membership } from '../organization/membership.entity.ts';
import { canGrant } from '../organization/membership.policy.ts';
import { type MembershipRow, membershipResource } from '../organization/membership.resource.ts';
import { cancelSubscriptions } from '../subscription/cancel-subscriptions.ts';

/**
 * Changes a member's role. Owners can give and take any; managers can turn members into managers and back.
 *
 * NOT_FOUND if there is no such member; FORBIDDEN if the viewer may not give or take the role; CONFLICT if the
 * organization would be left without an owner.
 */
export const changeMemberRole: Command<'organization', { role: OrganizationRole }, MembershipRow> = {
  access: 'organization',
  role: 'manager',
  input: z.strictObject({ role: z.enum(organizationRoles).meta({ description: 'The new role.' }) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  async run(ctx, { role }, id) {
    const target = await lockingOrganization(ctx, 'manager', async (locked) => {
      const member = await requireTarget(locked, id);
      if (!canGrant(locked.role, member.role) || !canGrant(locked.role, role)) throw new DomainError('FORBIDDEN');
      if (member.role === role) return member;
      await requireOtherOwner(locked, member);
      const membership = await locked.ctx.em.findOneOrFail(Membership, { id: member.id });
      membership.role = role;
      await locked.ctx.em.flush();
      await recordChange(locked, member, 'member.role_changed', { from: member.role, to: role });
      return { ...member, role };
    });
    afterCommit(ctx, () => ctx.services.access.forgetUser(target.user_id));
    return target;
  },
};

/**
 * Removes a member from the organization; everyone may leave. Takes effect with the next request. Returns the former
 * membership.
 *
 * NOT_FOUND also for a member that the viewer may not see; the rest as {@link changeMemberRole}.
 */
export const removeMember: Command<'organization', object, MembershipRow> = {
  access: 'organization',
  input: noFields,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: remove,
};

async function remove(ctx: MemberContext, _input: object, id: string): Promise<MembershipRow> {
  const target = await lockingOrganization(ctx, 'member', async (locked) => {
    const member = await requireTarget(locked, id);
    const leaves = member.user_id === ctx.viewer.userId;
    if (!leaves && !canGrant(locked.role, member.role)) throw new DomainError('FORBIDDEN');
    await requireOtherOwner(locked, member);
    const membership = await locked.ctx.em.findOneOrFail(Membership, { id: member.id });
    await locked.ctx.em.remove(membership).flush();
    await recordChange(locked, member, leaves ? 'member.left' : 'member.removed', { role: member.role });
    await cancelSubscriptions(locked.ctx, member.user_id);
    return member;
  });
  afterCommit(ctx, () => ctx.services.access.forgetUser(target.user_id));
  return target;
}

/** The membership to change, if the viewer may see it (membership.policy.ts) with the current role. */
async function requireTarget({ ctx, role }: LockedOrganization, id: string): Promise<MembershipRow> {
  const uuid = parseUuid(id);
  const member =
    uuid &&
    (await ctx.db.row<
      Record<string, unknown>
    >(sql`select id, organization_id, user_id, role, created_at from (${provenMemberships}) m
        where id = ${uuid}::uuid and organization_id = ${ctx.membership.organizationId}::uuid`));
  if (!member || (role === 'member' && member.user_id !== ctx.viewer.userId)) throw new DomainError('NOT_FOUND');
  return shapeRow<MembershipRow>(membershipResource, member);
}

async function requireOtherOwner({ ctx }: LockedOrganization, target: MembershipRow): Promise<void> {
  if (target.role !== 'owner') return;
  const other =
    await ctx.db.row(sql`select from (${provenMemberships}) m where organization_id = ${ctx.membership.organizationId}::uuid and role = 'owner'
      and id <> ${target.id}::uuid limit 1`);
  if (!other) throw new DomainError('CONFLICT', { detail: 'An organization needs an owner.' });
}

/** Ends the member's invitations to roles that they can no longer give, and records both, after the change itself. */
async function recordChange(
  { ctx }: LockedOrganization,
  target: MembershipRow,
  action: string,
  change: Record<string, unknown>,
): Promise<void> {
  const { organizationId } = ctx.membership;
  const subjectId = target.user_id;
  const ended = await endInvitations(ctx, { organizationId, inviterId: subjectId });
  const detail = ended > 0 ? { ...change, invitations_ended: ended } : change;
  await recordAudit(ctx, { action, organizationId, actorId: ctx.viewer.userId, subjectId, detail });
}
