import sql from 'sql-template-tag';
import { z } from 'zod';
import { command } from '../../engine/command.ts';
import type { ViewerContext } from '../../engine/context.ts';
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

interface Hashes {
  /** The hash of the password that was verified. */
  known: string | null;
  next: string;
}

/**
 * Changes the viewer's password and ends all other sessions and the secret calendar address. INVALID_CREDENTIALS if the
 * current password is wrong.
 */
export const changePassword = command<'user', Passwords, void, Hashes>({
  access: 'user',
  ofAccount: true,
  small: true,
  input: fields,
  errors: ['INVALID_CREDENTIALS', 'WEAK_PASSWORD', 'SERVICE_UNAVAILABLE'],
  around: async (ctx, { current_password, password }, change) => {
    const { userId } = ctx.viewer;
    const account = await ctx.db.row<{ email: string; password_hash: string | null }>(
      sql`select email, password_hash from "user" where id = ${userId}::uuid`,
    );
    if (!account) throw new DomainError('INVALID_TOKEN');
    const weakness = passwordFault(password, account.email);
    if (weakness !== null) throw weakPassword(weakness);
    // under the limits of sign-in: a stolen access token gives no additional guesses
    await limitLogin(ctx, userId, async () => {
      try {
        const known = account.password_hash;
        if (!(await verifyPassword(known, current_password))) throw new DomainError('INVALID_CREDENTIALS');
        await change({ known, next: await hashPassword(password) });
      } catch (error) {
        if (error instanceof DomainError && error.code === 'INVALID_CREDENTIALS') await recordRefusal(ctx);
        throw error;
      }
    });
  },
  run: async (tx, _passwords, _call, { known, next }) => {
    const { userId, sessionId } = tx.viewer;
    // of two concurrent changes, the second one has the wrong current password
    const user = await lockUser(tx, userId);
    if (user?.password_hash !== known) throw new DomainError('INVALID_CREDENTIALS');
    user.password_hash = next;
    await recordAudit(tx, { action: 'password.changed', actorId: userId, subjectId: userId });
    await queueMail(tx, passwordChangedMail, { userId });
    tx.afterCommit(() => tx.services.outbox.nudge('links'));
    forgetSessions(tx, await endAccess(tx, { userId, except: sessionId }));
  },
});

async function recordRefusal(ctx: ViewerContext): Promise<void> {
  const { userId } = ctx.viewer;
  const detail = { reason: 'wrong_password' };
  await recordAudit(ctx, { action: 'password.refused', actorId: userId, subjectId: userId, detail });
}
