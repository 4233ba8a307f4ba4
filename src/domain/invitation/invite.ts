import { z } from 'zod';
import { emailAddress, mailboxOf, parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import { command, forManagers, noFields } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type LimitKey, spending } from '../../kernel/limits/limits.ts';
import { pick } from '../../kernel/objects.ts';
import { type OrganizationRole, organizationRoles } from '../../kernel/request.ts';
import { proven } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import { queueMail } from '../mail/mail.ts';
import { lockMembers } from '../organization/lock.ts';
import { canGrant } from '../organization/membership.policy.ts';
import { tables } from '../tables/tables.ts';
import { Invitation } from './invitation.entity.ts';
import { acceptable, invitationDays } from './invitation.policy.ts';
import { type InvitationRow, invitationColumns } from './invitation.resource.ts';
import { invitationMail } from './invitation-mail.ts';

const input = z.strictObject({
  email: emailAddress.meta({ description: 'The invited e-mail address.' }),
  role: z.enum(organizationRoles).meta({ description: 'The role that the invitation gives.' }),
});

type Fields = z.output<typeof input>;

/**
 * Replaces an earlier invitation of the address, and does not reveal whether it has an account. FORBIDDEN for a role that the
 * viewer may not give, or if the address already has an invitation to such a role; CONFLICT if it is a member's.
 */
export const inviteMember = command({
  name: 'inviteMember',
  description:
    'Invites an e-mail address; the invitation expires after 7 days. Replaces an older invitation of the address.',
  ...forManagers,
  people: true,
  small: true,
  input,
  errors: ['CONFLICT'],
  around: async (ctx, input, change) => {
    // before the budgets: a refused invitation sends no mail
    await requireInvitable(ctx, ctx.membership.role, input);
    const budgets: LimitKey[] = [
      { rule: 'invitations_inviter', key: ctx.viewer.userId },
      { rule: 'invitations_organization', key: ctx.membership.organizationId },
    ];
    return await spending(ctx, budgets, change);
  },
  run: async (tx, input) => {
    await requireInvitable(tx, await lockMembers(tx, 'manager'), input);
    return await write(tx, input);
  },
});

const revocable = prepared((at: { id: string; organizationId: string }) =>
  tables
    .selectFrom('invitation as i')
    .select(['i.email', 'i.role'])
    .where(({ and }) => and({ 'i.id': at.id, 'i.organization_id': at.organizationId }))
    .where(acceptable('i')),
);

/** NOT_FOUND also if it has expired; FORBIDDEN for a role that the viewer may not give. */
export const revokeInvitation = command({
  name: 'revokeInvitation',
  description: 'Revokes an invitation.',
  object: 'invitation',
  ...forManagers,
  people: true,
  small: true,
  input: noFields,
  errors: ['NOT_FOUND'],
  run: async (tx, _input, { id: given }) => {
    const own = await lockMembers(tx, 'manager');
    const { organizationId } = tx.membership;
    const id = parseUuid(given);
    const revoked = id && (await tx.db.row(revocable({ id, organizationId })));
    if (!revoked) throw new DomainError('NOT_FOUND');
    if (!canGrant(own, revoked.role)) throw new DomainError('FORBIDDEN');
    await tx.em.remove(tx.em.getReference(Invitation, id)).flush();
    const entry = { action: 'invitation.revoked' as const, organizationId, actorId: tx.viewer.userId };
    await recordAudit(tx, { ...entry, detail: { invitation: id, email: revoked.email, role: revoked.role } });
  },
});

const knownAddress = prepared((at: { organizationId: string; mailbox: string }) =>
  tables.selectNoFrom((eb) => [
    eb
      .exists(proven.where('m.organization_id', '=', at.organizationId).where('u.mailbox', '=', at.mailbox))
      .as('member'),
    eb
      .selectFrom('invitation as i')
      .select('i.role')
      .where(({ and }) => and({ 'i.organization_id': at.organizationId, 'i.mailbox': at.mailbox }))
      .where(acceptable('i'))
      .as('invited'),
  ]),
);

async function requireInvitable(
  { db, membership }: MemberContext,
  role: OrganizationRole,
  input: Fields,
): Promise<void> {
  if (!canGrant(role, input.role)) throw new DomainError('FORBIDDEN');
  const { organizationId } = membership;
  const known = await db.row(knownAddress({ organizationId, mailbox: mailboxOf(input.email) }));
  if (known?.member) throw new DomainError('CONFLICT', { detail: 'This address already belongs to a member.' });
  if (known?.invited && !canGrant(role, known.invited)) {
    throw new DomainError('FORBIDDEN', { detail: 'This address already has an invitation to a role above your own.' });
  }
}

async function write(tx: Transaction<MemberContext>, input: Fields): Promise<InvitationRow> {
  const { organizationId } = tx.membership;
  const actorId = tx.viewer.userId;
  await tx.em.nativeDelete(Invitation, { organization_id: organizationId, mailbox: mailboxOf(input.email) });
  const expiresAt = new Date(tx.now.getTime() + invitationDays * 86_400_000);
  const { email } = input;
  const invitation = tx.em.create(Invitation, {
    organization_id: organizationId,
    email,
    role: input.role,
    inviter_id: actorId,
    created_at: tx.now.toISOString(),
    expires_at: expiresAt.toISOString(),
    mailed_at: null,
  });
  await tx.em.persist(invitation).flush();
  const { id } = invitation;
  const detail = { invitation: id, email, role: input.role };
  await recordAudit(tx, { action: 'invitation.created', organizationId, actorId, detail });
  await queueMail(tx, invitationMail, { invitationId: id });
  return pick(invitation, invitationColumns);
}
