import { createHash, randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import type { ViewerContext } from '../context.ts';
import { row } from '../database.ts';
import { DomainError } from '../errors.ts';
import { text } from '../input/text.ts';
import type { OrganizationRole } from '../organization/membership.entity.ts';

export const acceptInvitationInput = z.strictObject({ token: text });

interface Accepted {
  id: string;
  organization_id: string;
  role: OrganizationRole;
}

/**
 * Joins the organization that a token invites to. One statement uses the token up, so that of many at once one joins;
 * it looks at the address as well, so that a token in wrong hands is neither good nor lost. Who is a member by now stays
 * what they are.
 *
 * @returns the id of the organization
 * @throws DomainError INVALID_INVITATION_TOKEN, the same for a token that is unknown, used, over, revoked or another's
 */
export async function acceptInvitation(
  ctx: ViewerContext,
  input: z.output<typeof acceptInvitationInput>,
): Promise<string> {
  const { userId } = ctx.viewer;
  const organizationId = await ctx.em.transactional(async (em) => {
    const accepted = await row<Accepted>(
      em,
      sql`delete from invitation i using "user" u
        where i.hash = ${tokenHash(input.token)} and i.expires_at > now()
          and u.id = ${userId}::uuid and u.verified_at is not null and lower(u.email) = lower(i.email)
        returning i.id, i.organization_id, i.role`,
    );
    if (!accepted) throw new DomainError('INVALID_INVITATION_TOKEN');
    const { id, organization_id: organization, role } = accepted;
    await row(
      em,
      sql`insert into membership (id, organization_id, user_id, role, created_at)
        values (${randomUUIDv7()}, ${organization}, ${userId}, ${role}, now())
        on conflict (organization_id, user_id) do nothing`,
    );
    const entry = { action: 'invitation.accepted', organizationId: organization, actorId: userId, subjectId: userId };
    await recordAudit({ ...ctx, em }, { ...entry, detail: { invitation: id, role } });
    return organization;
  });
  ctx.services.access.forgetUser(userId);
  return organizationId;
}

/** A token has 256 random bits, which nobody can guess: a plain hash keeps it, and can be looked up. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
