import { sql } from 'kysely';
import { z } from 'zod';
import { parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import { command, forManagers } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import { shapeRow } from '../../engine/list/page.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type OrganizationRole, organizationRoles } from '../../kernel/request.ts';
import { proven } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import type { AuditAction } from '../audit/audit-actions.ts';
import { endInvitations } from '../invitation/invitation.policy.ts';
import { lockMembers } from '../organization/lock.ts';
import { Membership } from '../organization/membership.entity.ts';
import { canGrant } from '../organization/membership.policy.ts';
import { type MembershipRow, membershipResource } from '../organization/membership.resource.ts';
import { endSubscriptions } from '../subscription/end-subscriptions.ts';

type Tx = Transaction<MemberContext>;

/**
 * NOT_FOUND if there is no such member; FORBIDDEN if the viewer may not give or revoke the role; CONFLICT if the organization
 * would be left without an owner.
 */
export const changeMemberRole = command({
  name: 'changeMemberRole',
  description: 'Changes the role of a member: owners can assign any role, managers `manager` and `member`.',
  object: 'membership',
  ...forManagers,
  people: true,
  small: true,
  input: z.strictObject({ role: z.enum(organizationRoles).meta({ description: 'The new role.' }) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  run: async (tx, { role }, { id }) => {
    const own = await lockMembers(tx, 'manager');
    const member = await requireTarget(tx, own, id);
    if (!canGrant(own, member.role) || !canGrant(own, role)) throw new DomainError('FORBIDDEN');
    if (member.role === role) return member;
    await requireOtherOwner(tx, member);
    const membership = await tx.em.findOneOrFail(Membership, { id: member.id });
    membership.role = role;
    await tx.em.flush();
    await recordChange(tx, member, 'member.role_changed', { from: member.role, to: role });
    tx.afterCommit(() => tx.services.access.forgetUser(member.user_id));
    return { ...member, role };
  },
});

const removal = z.strictObject({
  erase_answers: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the answers that the member gave in the organization are erased; false if absent.' }),
});

/** Everyone may leave. Returns the former membership. NOT_FOUND also for a member whom the viewer may not see. */
export const removeMember = command({
  name: 'removeMember',
  description: 'Removes a member, or leaves the organization. Takes effect with the next request.',
  object: 'membership',
  access: 'organization',
  people: true,
  small: true,
  input: removal,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: async (tx, { erase_answers: erasesAnswers = false }, { id }) => {
    const own = await lockMembers(tx, 'member');
    const member = await requireTarget(tx, own, id);
    const leaves = member.user_id === tx.viewer.userId;
    if (!leaves && !canGrant(own, member.role)) throw new DomainError('FORBIDDEN');
    await requireOtherOwner(tx, member);
    const membership = await tx.em.findOneOrFail(Membership, { id: member.id });
    await tx.em.remove(membership).flush();
    const detail = { role: member.role, ...(erasesAnswers ? { answers_erased: true } : {}) };
    await recordChange(tx, member, leaves ? 'member.left' : 'member.removed', detail);
    await endSubscriptions(tx, {
      ...{ userId: member.user_id, organizationId: member.organization_id, actorId: tx.viewer.userId },
      ...{ erase: erasesAnswers ? 'answers' : 'nothing', notify: true },
    });
    tx.afterCommit(() => tx.services.access.forgetUser(member.user_id));
    return member;
  },
});

const membershipIn = prepared((at: { id: string; organizationId: string }) =>
  proven
    .select(['m.id', 'm.organization_id', 'm.user_id', 'm.role', 'm.created_at'])
    .where(({ and }) => and({ 'm.id': at.id, 'm.organization_id': at.organizationId })),
);

async function requireTarget(tx: Tx, own: OrganizationRole, id: string): Promise<MembershipRow> {
  const uuid = parseUuid(id);
  const { organizationId } = tx.membership;
  const member = uuid && (await tx.db.row(membershipIn({ id: uuid, organizationId })));
  if (!member || (own === 'member' && member.user_id !== tx.viewer.userId)) throw new DomainError('NOT_FOUND');
  return shapeRow<MembershipRow>(membershipResource, member);
}

const otherOwner = prepared((at: { id: string; organization_id: string }) =>
  proven
    .select('m.id')
    .where(({ and }) => and({ 'm.organization_id': at.organization_id, 'm.role': 'owner' }))
    .where('m.id', '<>', at.id)
    .limit(sql.lit(1)),
);

async function requireOtherOwner(tx: Tx, target: MembershipRow): Promise<void> {
  if (target.role !== 'owner') return;
  if (!(await tx.db.row(otherOwner(target))))
    throw new DomainError('CONFLICT', { detail: 'An organization must have an owner.' });
}

/** Call after the change: it also ends the member's invitations to roles that they can no longer give. */
async function recordChange(
  tx: Tx,
  target: MembershipRow,
  action: AuditAction,
  change: Record<string, unknown>,
): Promise<void> {
  const { organizationId } = tx.membership;
  const subjectId = target.user_id;
  const ended = await endInvitations(tx, { organizationId, inviterId: subjectId });
  const detail = ended > 0 ? { ...change, invitations_ended: ended } : change;
  await recordAudit(tx, { action, organizationId, actorId: tx.viewer.userId, subjectId, detail });
}
