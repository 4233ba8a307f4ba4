import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { row } from '../database.ts';
import type { Composers } from '../mail/compose.ts';
import { tokenHash } from './accept-invitation.ts';
import { invitationDays } from './invite.ts';

interface Invited {
  email: string;
  organization: string;
  inviter: string | null;
}

/** The mail of an invitation. */
export const invitationMail = {
  async invitation(ctx, { invitationId }) {
    const token = randomBytes(32).toString('base64url');
    // the mail that leaves holds the only token there is: of an attempt before this one nothing remains usable
    const invited = await row<Invited>(
      ctx.em,
      sql`update invitation i set hash = ${tokenHash(token)}
        from organization o
        where i.id = ${invitationId}::uuid and i.expires_at > now() and o.id = i.organization_id
        returning i.email, o.name as organization, (select u.name from "user" u where u.id = i.inviter_id) as inviter`,
    );
    if (!invited) return null;
    const { email, organization, inviter } = invited;
    // anyone may cause it, by an organization of their own: at most three an hour (decisions §3)
    const limited = ctx.first && !(await ctx.services.limits.tryTake({ rule: 'mailbox', key: email.toLowerCase() }));
    if (limited) return null;
    const link = `${ctx.publicUrl}/invitation?token=${token}`;
    return {
      kind: 'invitation',
      to: { address: email, name: null },
      link,
      days: invitationDays,
      organization,
      inviter,
    };
  },
} satisfies Partial<Composers>;
