import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { row } from '../database.ts';
import { DomainError } from '../errors.ts';
import { emailAddress, text } from '../input/text.ts';
import { clientNetwork } from '../limits/client-network.ts';
import { queueMail } from '../mail/mail-job.ts';
import { useToken } from './one-time-token.ts';

/** Who wants a mail. */
export const mailRequestInput = z.strictObject({ email: emailAddress });
export const verifyEmailInput = z.strictObject({ token: text });

/**
 * Asks for another verification mail. Nothing is looked up before the answer, so that it cannot tell whether the
 * account exists (decisions §3).
 *
 * @throws DomainError RATE_LIMITED
 */
export async function requestVerification(ctx: Context, { email }: z.output<typeof mailRequestInput>): Promise<void> {
  await ctx.services.limits.take({ rule: 'mail_network', key: clientNetwork(ctx.client.ip) });
  await queueMail(ctx, 'verification_requested', { email, client: ctx.client });
  ctx.services.outbox.nudge();
}

/**
 * Proves the mailbox of an account by a token that was mailed to it; and joins the organization that the mail was
 * about, where that still takes members by sign-up.
 *
 * @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED
 */
export async function verifyEmail(ctx: Context, { token }: z.output<typeof verifyEmailInput>): Promise<void> {
  await ctx.services.limits.take({ rule: 'token_network', key: clientNetwork(ctx.client.ip) });
  const userId = await ctx.em.transactional(async (em) => {
    const inner = { ...ctx, em };
    const used = await useToken(inner, token, 'verify_email');
    if (!used) throw new DomainError('INVALID_VERIFICATION_TOKEN');
    await markVerified(inner, used.user_id, 'verification_mail');
    if (used.organization_id !== null) await join(inner, used.user_id, used.organization_id);
    return used.user_id;
  });
  ctx.services.access.forgetUser(userId);
}

/** Notes that a mailbox was proven, once; with its audit entry. */
export async function markVerified(
  ctx: Pick<Context, 'em' | 'client'>,
  userId: string,
  by: 'verification_mail' | 'reset_mail',
): Promise<void> {
  const verified = await row(
    ctx.em,
    sql`update "user" set verified_at = now(), updated_at = now() where id = ${userId} and verified_at is null returning id`,
  );
  if (!verified) return;
  await recordAudit(ctx, { action: 'user.verified', actorId: userId, subjectId: userId, detail: { by } });
}

async function join(ctx: Pick<Context, 'em' | 'client'>, userId: string, organizationId: string): Promise<void> {
  const joined = await row(
    ctx.em,
    sql`insert into membership (id, organization_id, user_id, role, created_at)
        select ${randomUUIDv7()}::uuid, id, ${userId}, 'member', now() from organization
        where id = ${organizationId} and signup = 'open'
        on conflict (organization_id, user_id) do nothing returning id`,
  );
  if (!joined) return;
  const detail = { role: 'member', by: 'mail' };
  await recordAudit(ctx, { action: 'member.joined', actorId: userId, subjectId: userId, organizationId, detail });
}
