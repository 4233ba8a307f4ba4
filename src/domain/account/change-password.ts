import sql from 'sql-template-tag';
import { z } from 'zod';
import type { Command } from '../../engine/command.ts';
import type { ViewerContext } from '../../engine/context.ts';
import { afterCommit, smallTransaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { text } from '../../kernel/input/text.ts';
import { recordAudit } from '../audit/audit.ts';
import { queueMail } from '../mail/mail.ts';
import { limitLogin } from '../session/login-limit.ts';
import { forgetSessions } from '../session/own-sessions.ts';
import { hashPassword, verifyPassword } from '../session/password.ts';
import { lockUser } from '../user/lock-user.ts';
import { passwordChangedMail } from './account-mail.ts';
import { endAccess } from './end-access.ts';
import { newPassword, passwordFault, weakPassword } from './password-policy.ts';

const fields = z.strictObject({
  current_password: text.meta({ description: 'The current password.' }),
  password: newPassword.meta({ description: 'The new password, 8 to 256 characters.' }),
});

type Passwords = z.output<typeof fields>;

/**
 * Changes the viewer's password, and ends all other sessions and the secret calendar address. INVALID_CREDENTIALS if the
 * current password is wrong.
 */
export const changePassword: Command<'user', Passwords, void> = {
  access: 'user',
  ofAccount: true,
  input: fields,
  errors: ['INVALID_CREDENTIALS', 'WEAK_PASSWORD', 'SERVICE_UNAVAILABLE'],
  run: change,
};

async function change(ctx: ViewerContext, input: Passwords): Promise<void> {
  const { userId } = ctx.viewer;
  const account = await ctx.db.row<{ email: string; password_hash: string | null }>(
    sql`select email, password_hash from "user" where id = ${userId}::uuid`,
  );
  if (!account) throw new DomainError('INVALID_TOKEN');
  const weakness = passwordFault(input.password, account.email);
  if (weakness !== null) throw weakPassword(weakness);
  // under the limits of sign-in: a stolen access token gives no additional guesses
  const ended = await limitLogin(ctx, userId, () => replacePassword(ctx, account.password_hash, input));
  forgetSessions(ctx, ended);
  afterCommit(ctx, () => ctx.services.outbox.nudge('links'));
}

async function replacePassword(ctx: ViewerContext, known: string | null, input: Passwords): Promise<string[]> {
  const { userId, sessionId } = ctx.viewer;
  if (!(await verifyPassword(known, input.current_password))) throw await refusal(ctx);
  const hash = await hashPassword(input.password);
  const ended = await smallTransaction(ctx, async (tx) => {
    // of two changes at once, the second one has the wrong current password
    const user = await lockUser(tx, userId);
    if (user?.password_hash !== known) return null;
    user.password_hash = hash;
    await recordAudit(tx, { action: 'password.changed', actorId: userId, subjectId: userId });
    await queueMail(tx, passwordChangedMail, { userId });
    return await endAccess(tx, { userId, except: sessionId });
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
