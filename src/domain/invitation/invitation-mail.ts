import { countedMailbox } from '#input-values';
import { prepared } from '#postgres-access';
import { hashToken, makeToken } from '../../kernel/secret-token.ts';
import type { Mail, Recipient } from '../mail/mail.ts';
import { now, tables } from '../tables/tables.ts';
import { acceptable, invitationDays } from './invitation.policy.ts';

export interface InvitationLetter {
  kind: 'invitation';
  link: string;
  days: number;
  organization: string;
  inviter: string | null;
  to: Recipient;
}

const addressOf = prepared((at: { id: string }) =>
  tables.selectFrom('invitation as i').select('i.email').where('i.id', '=', at.id).where(acceptable('i')),
);

const setToken = prepared((at: { id: string; hash: string }) =>
  tables
    .updateTable('invitation as i')
    .from('organization as o')
    .set({ hash: at.hash, mailed_at: now })
    .where('i.id', '=', at.id)
    .where(acceptable('i'))
    .whereRef('o.id', '=', 'i.organization_id')
    .returning(['i.email', 'o.name as organization'])
    .returning((eb) => eb.selectFrom('user as u').select('u.name').whereRef('u.id', '=', 'i.inviter_id').as('inviter')),
);

export const invitationMail: Mail<{ invitationId: string }, InvitationLetter> = {
  kind: 'invitation',
  async compose(ctx, { invitationId }) {
    const pending = await ctx.db.row(addressOf({ id: invitationId }));
    if (!pending) return null;
    // all inviters share this budget, so a refusal would reveal others' invitations: the mail waits instead
    const key = { rule: 'invitations_mailbox' as const, key: countedMailbox(pending.email) };
    const wait = ctx.first ? await ctx.services.limits.takeOrWait(key) : 0;
    if (wait > 0) return { kind: 'postponed', seconds: wait };
    const token = makeToken();
    // replaces the token of an earlier attempt
    const invited = await ctx.db.row(setToken({ id: invitationId, hash: hashToken(token) }));
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
