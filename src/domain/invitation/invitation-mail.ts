import sql from 'sql-template-tag';
import { countedMailbox } from '../../kernel/input/email-address.ts';
import { hashToken, makeToken } from '../../kernel/secret-token.ts';
import type { Mail, Recipient } from '../mail/mail.ts';
import { acceptable, invitationDays } from './invitation.policy.ts';

interface Invited {
  email: string;
  organization: string;
  inviter: string | null;
}

export interface InvitationLetter {
  kind: 'invitation';
  link: string;
  days: number;
  organization: string;
  inviter: string | null;
  to: Recipient;
}

/** The mail of an invitation. */
export const invitationMail: Mail<{ invitationId: string }, InvitationLetter> = {
  kind: 'invitation',
  async compose(ctx, { invitationId }) {
    const pending = await ctx.db.row<Pick<Invited, 'email'>>(
      sql`select i.email from invitation i where i.id = ${invitationId}::uuid and ${acceptable('i')}`,
    );
    if (!pending) return null;
    // all inviters share the budget, so a refusal would reveal what others do; the mail waits instead
    const key = { rule: 'invitations_mailbox' as const, key: countedMailbox(pending.email) };
    const wait = ctx.first ? await ctx.services.limits.takeOrWait(key) : 0;
    if (wait > 0) return { kind: 'postponed', seconds: wait };
    const token = makeToken();
    // the token of this mail replaces that of an earlier attempt
    const invited = await ctx.db.row<Invited>(sql`update invitation i set hash = ${hashToken(token)}, mailed_at = now()
        from organization o
        where i.id = ${invitationId}::uuid and ${acceptable('i')} and o.id = i.organization_id
        returning i.email, o.name as organization, (select u.name from "user" u where u.id = i.inviter_id) as inviter`);
    if (!invited) return null;
    const { email, organization, inviter } = invited;
    return {
      kind: 'invitation',
      to: { address: email, name: null },
      link: `${ctx.publicUrl}/invitation?token=${token}`,
      days: invitationDays,
      organization,
      inviter,
    };
  },
};
