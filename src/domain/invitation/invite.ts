import { randomUUIDv7 } from 'node:crypto';
import sql, { raw } from 'sql-template-tag';
import { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { row } from '../database.ts';
import { DomainError } from '../errors.ts';
import { emailAddress } from '../input/text.ts';
import { shapeRow } from '../list/row.ts';
import { queueMail } from '../mail/mail-job.ts';
import { lockingOrganization } from '../organization/lock.ts';
import { type OrganizationRole, organizationRoles } from '../organization/membership.entity.ts';
import { canGrant } from '../organization/membership.policy.ts';
import { parseUuid } from '../uuid.ts';
import { type InvitationRow, invitationColumns, invitationResource } from './invitation.resource.ts';

export const inviteInput = z.strictObject({ email: emailAddress, role: z.enum(organizationRoles) });

/** Days for which an invitation can be accepted. */
export const invitationDays = 7;

/**
 * Invites an address to the organization; the mail with the token follows. An older invitation of the same address ends.
 * Whether the address has an account makes no difference that could be seen.
 *
 * @throws DomainError FORBIDDEN for a role that the viewer may not give; CONFLICT where the address is a member's
 */
export async function inviteMember(ctx: MemberContext, input: z.output<typeof inviteInput>): Promise<InvitationRow> {
  const made = await lockingOrganization(ctx, async ({ ctx: locked, em, role }) => {
    if (!canGrant(role, input.role)) throw new DomainError('FORBIDDEN');
    const { organizationId } = ctx.membership;
    const actorId = ctx.viewer.userId;
    const member = await row(
      em,
      sql`select from membership m join "user" u on u.id = m.user_id
        where m.organization_id = ${organizationId}::uuid and lower(u.email) = lower(${input.email})`,
    );
    if (member) throw new DomainError('CONFLICT', { detail: 'This address belongs to a member already.' });
    await row(
      em,
      sql`delete from invitation where organization_id = ${organizationId}::uuid and lower(email) = lower(${input.email})`,
    );
    const id = randomUUIDv7();
    const invitation = await row<Record<string, unknown>>(
      em,
      sql`insert into invitation (id, organization_id, email, role, inviter_id, created_at, expires_at)
        values (${id}, ${organizationId}, ${input.email}, ${input.role}, ${actorId}, now(),
          now() + make_interval(days => ${invitationDays}))
        returning ${raw(invitationColumns.join(', '))}`,
    );
    const detail = { invitation: id, email: input.email, role: input.role };
    await recordAudit(locked, { action: 'invitation.created', organizationId, actorId, detail });
    await queueMail(locked, 'invitation', { invitationId: id });
    return shapeRow<InvitationRow>(invitationResource, invitation as Record<string, unknown>);
  });
  ctx.services.outbox.nudge();
  return made;
}

/**
 * Takes an invitation back: its token is good for nothing from now on.
 *
 * @throws DomainError NOT_FOUND for what is unknown, foreign or over; FORBIDDEN for a role that the viewer may not give
 */
export async function revokeInvitation(ctx: MemberContext, input: { id: string }): Promise<void> {
  await lockingOrganization(ctx, async ({ ctx: locked, em, role }) => {
    if (role === 'member') throw new DomainError('FORBIDDEN');
    const { organizationId } = ctx.membership;
    const id = parseUuid(input.id);
    const found =
      id &&
      (await row<{ email: string; role: OrganizationRole }>(
        em,
        sql`select email, role from invitation
          where id = ${id}::uuid and organization_id = ${organizationId}::uuid and expires_at > now()`,
      ));
    if (!found) throw new DomainError('NOT_FOUND');
    if (!canGrant(role, found.role)) throw new DomainError('FORBIDDEN');
    // it may be accepted in this very moment
    const revoked = await row(em, sql`delete from invitation where id = ${id}::uuid returning id`);
    if (!revoked) throw new DomainError('NOT_FOUND');
    const entry = { action: 'invitation.revoked', organizationId, actorId: ctx.viewer.userId };
    await recordAudit(locked, { ...entry, detail: { invitation: id, email: found.email, role: found.role } });
  });
}
