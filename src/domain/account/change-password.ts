import sql from 'sql-template-tag';
import { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import type { ViewerContext } from '../context.ts';
import { row } from '../database.ts';
import { DomainError } from '../errors.ts';
import { text } from '../input/text.ts';
import { queueMail } from '../mail/mail-job.ts';
import { limitLogin } from '../session/login-limit.ts';
import { endSessions, forgetSessions } from '../session/own-sessions.ts';
import { hashPassword, verifyPassword } from '../session/password.ts';
import { newPassword, passwordFault, weakPassword } from './password-policy.ts';

export const changePasswordInput = z.strictObject({ current_password: text, password: newPassword });

/**
 * Changes the viewer's password and ends all other sessions: whoever knew the old one is out.
 *
 * @throws DomainError VALIDATION_ERROR with WEAK_PASSWORD; INVALID_CREDENTIALS where the current password is another;
 * RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function changePassword(ctx: ViewerContext, input: z.output<typeof changePasswordInput>): Promise<void> {
  const { userId } = ctx.viewer;
  const account = await row<{ email: string; password_hash: string | null }>(
    ctx.em,
    sql`select email, password_hash from "user" where id = ${userId}::uuid`,
  );
  if (!account) throw new DomainError('INVALID_TOKEN');
  const weakness = passwordFault(input.password, account.email);
  if (weakness !== null) throw weakPassword(weakness);
  // under the limits of sign-in: whoever holds a stolen access token gets no more guesses than anybody else
  const ended = await limitLogin(ctx, account.email, () => replacePassword(ctx, account.password_hash, input));
  forgetSessions(ctx, ended);
  ctx.services.outbox.nudge();
}

async function replacePassword(
  ctx: ViewerContext,
  known: string | null,
  input: z.output<typeof changePasswordInput>,
): Promise<string[]> {
  const { userId, sessionId } = ctx.viewer;
  if (!(await verifyPassword(known, input.current_password))) throw await refusal(ctx);
  const hash = await hashPassword(input.password);
  const ended = await ctx.em.transactional(async (em) => {
    // of two changes at once the second one's current password is none any more
    const changed = await row(
      em,
      sql`update "user" set password_hash = ${hash}, updated_at = now()
        where id = ${userId}::uuid and password_hash = ${known} returning id`,
    );
    if (!changed) return null;
    const inside = { ...ctx, em };
    await recordAudit(inside, { action: 'password.changed', actorId: userId, subjectId: userId });
    await queueMail(inside, 'password_changed', { userId });
    return await endSessions(inside, { userId, except: sessionId, reason: 'password_changed' });
  });
  if (!ended) throw await refusal(ctx);
  return ended;
}

async function refusal(ctx: ViewerContext): Promise<DomainError> {
  const { userId } = ctx.viewer;
  const detail = { reason: 'wrong_password' };
  await recordAudit(ctx, { action: 'password.refused', actorId: userId, subjectId: userId, detail });
  return new DomainError('INVALID_CREDENTIALS');
}
