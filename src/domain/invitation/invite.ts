import sql, { raw } from 'sql-template-tag';
import { z } from 'zod';
import { type Command, noFields } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import { shapeRow } from '../../engine/list/list.sql.ts';
import { provenMemberships } from '../../engine/memberships.ts';
import { afterCommit } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { emailAddress, mailboxOf } from '../../kernel/input/email-address.ts';
import type { LimitKey } from '../../kernel/limits/limits.ts';
import { type OrganizationRole, organizationRoles } from '../../kernel/roles.ts';
import { parseUuid } from '../../kernel/uuid.ts';
import { recordAudit } from '../audit/audit.ts';
import { queueMail } from '../mail/mail-job.ts';
import { type LockedOrganization, lockingOrganization } from '../organization/lock.ts';
import { canGrant } from '../organization/membership.policy.ts';
import { Invitation } from './invitation.entity.ts';
import { standing } from './invitation.policy.ts';
import { type InvitationRow, invitationColumns, invitationResource } from './invitation.resource.ts';

const input = z.strictObject({
  email: emailAddress.meta({ description: 'The invited e-mail address.' }),
  role: z.enum(organizationRoles).meta({ description: 'The role that the invitation gives.' }),
});

type Fields = z.output<typeof input>;

/** Days for which an invitation can be accepted. */
export const invitationDays = 7;

/**
 * Invites an address to the organization; the mail with the token follows. Replaces an older invitation of the same
 * address. Does not reveal whether the address has an account. FORBIDDEN for a role that the viewer may not give, or if
 * there is an invitation to such a role; CONFLICT if the address is a member's; RATE_LIMITED if the viewer or the
 * organization has invited many in the last hour.
 */
export const inviteMember: Command<'organization', Fields, InvitationRow> = {
  access: 'organization',
  role: 'manager',
  input,
  errors: ['CONFLICT'],
  run: invite,
};

/**
 * Revokes an invitation: its token is no longer valid. NOT_FOUND if it is unknown, of another organization or expired;
 * FORBIDDEN for a role that the viewer may not give.
 */
export const revokeInvitation: Command<'organization', object, void> = {
  access: 'organization',
  role: 'manager',
  input: noFields,
  errors: ['NOT_FOUND'],
  run: (ctx, _input, id) => revoke(ctx, id),
};

async function invite(ctx: MemberContext, input: Fields): Promise<InvitationRow> {
  const { limits, outbox } = ctx.services;
  // before the budgets: a refused invitation sends no mail
  await refuse(ctx, ctx.membership.role, input);
  const budgets: LimitKey[] = [
    { rule: 'invitations_inviter', key: ctx.viewer.userId },
    { rule: 'invitations_organization', key: ctx.membership.organizationId },
  ];
  await limits.take(...budgets);
  try {
    const made = await lockingOrganization(ctx, 'manager', (locked) => write(locked, input));
    afterCommit(ctx, () => outbox.nudge('links'));
    return made;
  } catch (error) {
    // if the database is down, the count stays
    await Promise.all(budgets.map((each) => limits.giveBack(each))).catch(() => undefined);
    throw error;
  }
}

/** @throws DomainError FORBIDDEN, CONFLICT */
async function refuse({ db, membership }: MemberContext, role: OrganizationRole, input: Fields): Promise<void> {
  if (!canGrant(role, input.role)) throw new DomainError('FORBIDDEN');
  const { organizationId } = membership;
  const mailbox = mailboxOf(input.email);
  const known = await db.row<{ member: boolean; invited: OrganizationRole | null }>(sql`select
      exists (select from (${provenMemberships}) m join "user" u on u.id = m.user_id
        where m.organization_id = ${organizationId}::uuid and u.mailbox = ${mailbox}) as member,
      (select i.role from invitation i where i.organization_id = ${organizationId}::uuid
        and i.mailbox = ${mailbox} and ${standing('i')}) as invited`);
  if (known?.member) throw new DomainError('CONFLICT', { detail: 'This address already belongs to a member.' });
  if (known?.invited && !canGrant(role, known.invited)) {
    throw new DomainError('FORBIDDEN', { detail: 'This address is invited to a role above your own.' });
  }
}

async function write({ ctx, role }: LockedOrganization, input: Fields): Promise<InvitationRow> {
  await refuse(ctx, role, input);
  const { organizationId } = ctx.membership;
  const actorId = ctx.viewer.userId;
  await ctx.db.row(
    sql`delete from invitation where organization_id = ${organizationId}::uuid and mailbox = ${mailboxOf(input.email)}`,
  );
  const expiresAt = new Date(ctx.now.getTime() + invitationDays * 86_400_000);
  const { email } = input;
  const invitation = ctx.em.create(Invitation, {
    organization: organizationId,
    email,
    role: input.role,
    inviter: actorId,
    createdAt: ctx.now,
    expiresAt,
  });
  await ctx.em.persist(invitation).flush();
  const { id } = invitation;
  const detail = { invitation: id, email, role: input.role };
  await recordAudit(ctx, { action: 'invitation.created', organizationId, actorId, detail });
  await queueMail(ctx, 'invitation', { invitationId: id });
  const row = await ctx.db.row<Record<string, unknown>>(
    sql`select ${raw(invitationColumns.join(', '))} from invitation where id = ${id}::uuid`,
  );
  return shapeRow<InvitationRow>(invitationResource, row as Record<string, unknown>);
}

async function revoke(ctx: MemberContext, given: string): Promise<void> {
  await lockingOrganization(ctx, 'manager', async ({ ctx: locked, role }) => {
    const { organizationId } = ctx.membership;
    const id = parseUuid(given);
    const revoked =
      id &&
      (await locked.db.row<{ email: string; role: OrganizationRole }>(sql`select i.email, i.role from invitation i
          where i.id = ${id}::uuid and i.organization_id = ${organizationId}::uuid and ${standing('i')}`));
    if (!revoked) throw new DomainError('NOT_FOUND');
    if (!canGrant(role, revoked.role)) throw new DomainError('FORBIDDEN');
    await locked.em.remove(locked.em.getReference(Invitation, id)).flush();
    const entry = { action: 'invitation.revoked', organizationId, actorId: ctx.viewer.userId };
    await recordAudit(locked, { ...entry, detail: { invitation: id, email: revoked.email, role: revoked.role } });
  });
}
