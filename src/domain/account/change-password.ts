import sql from 'sql-template-tag';
import { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import type { ViewerContext } from '../context.ts';
import { row } from '../database.ts';
import { DomainError } from '../errors.ts';
import { text } from '../input/text.ts';
import { endSessions, forgetSessions } from '../session/own-sessions.ts';
import { hashPassword, verifyPassword } from '../session/password.ts';
import { newPassword, passwordFault, weakPassword } from './password-policy.ts';

export const changePasswordInput = z.strictObject({ current_password: text, password: newPassword });

/**
 * Changes the viewer's password and ends all other sessions: whoever knew the old one is out.
 *
 * @throws DomainError VALIDATION_ERROR with WEAK_PASSWORD; INVALID_CREDENTIALS where the current password is another;
 * SERVICE_UNAVAILABLE
 */
export async function changePassword(ctx: ViewerContext, input: z.output<typeof changePasswordInput>): Promise<void> {
  const { userId, sessionId } = ctx.viewer;
  const account = await row<{ email: string; password_hash: string | null }>(
    ctx.em,
    sql`select email, password_hash from "user" where id = ${userId}::uuid`,
  );
  if (!account) throw new DomainError('INVALID_TOKEN');
  const weakness = passwordFault(input.password, account.email);
  if (weakness !== null) throw weakPassword(weakness);
  if (!(await verifyPassword(account.password_hash, input.current_password))) throw await refusal(ctx);
  const hash = await hashPassword(input.password);
  const ended = await ctx.em.transactional(async (em) => {
    // of two changes at once the second one's current password is none any more
    const changed = await row(
      em,
      sql`update "user" set password_hash = ${hash}, updated_at = now()
        where id = ${userId}::uuid and password_hash = ${account.password_hash} returning id`,
    );
    if (!changed) return null;
    const inside = { ...ctx, em };
    await recordAudit(inside, { action: 'password.changed', actorId: userId, subjectId: userId });
    return await endSessions(inside, { userId, except: sessionId, reason: 'password_changed' });
  });
  if (!ended) throw await refusal(ctx);
  forgetSessions(ctx, ended);
}

async function refusal(ctx: ViewerContext): Promise<DomainError> {
  const { userId } = ctx.viewer;
  const detail = { reason: 'wrong_password' };
  await recordAudit(ctx, { action: 'password.refused', actorId: userId, subjectId: userId, detail });
  return new DomainError('INVALID_CREDENTIALS');
}
