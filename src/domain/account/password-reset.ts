import sql from 'sql-template-tag';
import { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { row } from '../database.ts';
import { DomainError } from '../errors.ts';
import { text } from '../input/text.ts';
import { clientNetwork } from '../limits/client-network.ts';
import { queueMail } from '../mail/mail-job.ts';
import { endSessions } from '../session/own-sessions.ts';
import { hashPassword } from '../session/password.ts';
import { cancelToken, findTokenEmail, useToken } from './one-time-token.ts';
import { newPassword, passwordFault, weakPassword } from './password-policy.ts';
import { type mailRequestInput, markVerified } from './verification.ts';

export const resetPasswordInput = z.strictObject({ token: text, password: newPassword });

/**
 * Asks for a mail with which the password can be set anew. Nothing is looked up before the answer, so that it cannot
 * tell whether the account exists (decisions §3).
 *
 * @throws DomainError RATE_LIMITED
 */
export async function requestPasswordReset(ctx: Context, { email }: z.output<typeof mailRequestInput>): Promise<void> {
  await ctx.services.limits.take({ rule: 'mail_network', key: clientNetwork(ctx.client.ip) });
  await queueMail(ctx, 'reset_requested', { email, client: ctx.client });
  ctx.services.outbox.nudge();
}

/**
 * Sets a password by a token that was mailed. Ends all the user's sessions and starts none; whoever holds the token
 * has proven the mailbox, so the account is verified from then on. A refused password leaves the token usable.
 *
 * @throws DomainError INVALID_RESET_TOKEN, VALIDATION_ERROR (with WEAK_PASSWORD), RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function resetPassword(ctx: Context, input: z.output<typeof resetPasswordInput>): Promise<void> {
  await ctx.services.limits.take({ rule: 'token_network', key: clientNetwork(ctx.client.ip) });
  const email = await findTokenEmail(ctx, input.token, 'reset_password');
  // before the hash: a wrong token must not cost one
  if (email === undefined) throw new DomainError('INVALID_RESET_TOKEN');
  const fault = passwordFault(input.password, email);
  if (fault !== null) throw weakPassword(fault);
  const hash = await hashPassword(input.password);
  const userId = await ctx.em.transactional(async (em) => {
    const inner = { ...ctx, em };
    const used = await useToken(inner, input.token, 'reset_password');
    if (!used) throw new DomainError('INVALID_RESET_TOKEN');
    const { user_id: id } = used;
    await row(em, sql`update "user" set password_hash = ${hash}, updated_at = now() where id = ${id}`);
    await markVerified(inner, id, 'reset_mail');
    await cancelToken(inner, id, 'verify_email');
    await endSessions(inner, { userId: id, reason: 'password_changed' });
    await recordAudit(inner, { action: 'user.password_reset', actorId: id, subjectId: id });
    await queueMail(inner, 'password_changed', { userId: id });
    return id;
  });
  // what this process remembers is forgotten at once, and not only when the database tells of the commit
  ctx.services.access.forgetUser(userId);
  ctx.services.outbox.nudge();
}
