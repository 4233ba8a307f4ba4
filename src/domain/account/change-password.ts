import { z } from 'zod';
import { text } from '#input-values';
import { hashPassword, passwordFault } from '#passwords';
import { command, forOwnAccount } from '../../engine/command.ts';
import { recordAudit } from '../audit/audit.ts';
import { queueMail } from '../mail/mail.ts';
import { forgetSessions } from '../session/own-sessions.ts';
import { lockViewer } from '../user/lock-user.ts';
import { passwordChangedMail } from './account-mail.ts';
import { endAccess } from './end-access.ts';
import { checkOwnPassword, findOwnAccount, wrongPassword } from './own-password.ts';
import { newPassword, weakPassword } from './password-policy.ts';

const fields = z.strictObject({
  current_password: text.meta({ description: 'The current password.' }),
  password: newPassword.meta({ description: 'The new password, 8 to 256 characters.' }),
});

type Passwords = z.output<typeof fields>;

interface Hashes {
  /** Of the password that was verified. */
  known: string | null;
  next: string;
}

export const changePassword = command<'user', Passwords, void, Hashes>({
  name: 'changePassword',
  description: "Changes the viewer's password, and ends all other sessions and the secret calendar address.",
  ...forOwnAccount,
  small: true,
  input: fields,
  errors: ['INVALID_CREDENTIALS', 'WEAK_PASSWORD', 'SERVICE_UNAVAILABLE'],
  around: async (ctx, { current_password, password }, change) => {
    const account = await findOwnAccount(ctx);
    const weakness = passwordFault(password, account.email);
    if (weakness !== null) throw weakPassword(weakness);
    await checkOwnPassword(
      ctx,
      current_password,
      async (known) => await change({ known, next: await hashPassword(password) }),
      account,
    );
  },
  run: async (tx, _passwords, _call, { known, next }) => {
    const { userId, sessionId } = tx.viewer;
    // of two concurrent changes, the second one has the wrong current password
    const user = await lockViewer(tx);
    if (user.password_hash !== known) throw wrongPassword();
    user.password_hash = next;
    await recordAudit(tx, { action: 'password.changed', actorId: userId, subjectId: userId });
    await queueMail(tx, passwordChangedMail, { userId });
    forgetSessions(tx, await endAccess(tx, { userId, except: sessionId }));
  },
});
