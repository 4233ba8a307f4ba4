import { z } from 'zod';
import { text } from '#input-values';
import { command, forOwnAccount } from '../../engine/command.ts';
import { checkOwnPassword, wrongPassword } from '../account/own-password.ts';
import { lockViewer } from '../user/lock-user.ts';
import { eraseMember } from './erase-member.ts';

const input = z.strictObject({ password: text.meta({ description: 'The password of the account.' }) });

/**
 * Erases the viewer (reference/leaving.md#erasing-ones-account). A wrong password counts as a failed sign-in. CONFLICT if an
 * organization would be left without an owner; INVALID_TOKEN if the account was erased concurrently.
 */
export const eraseViewer = command<'user', z.output<typeof input>, void, string | null>({
  name: 'eraseViewer',
  description: 'Erases the account and everything that is kept about the signed-in user.',
  ...forOwnAccount,
  small: true,
  input,
  errors: ['INVALID_CREDENTIALS', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  around: async (ctx, { password }, erase) => {
    await checkOwnPassword(ctx, password, erase);
  },
  run: async (tx, _input, _call, known) => {
    const user = await lockViewer(tx);
    // changed in the meantime
    if (user.password_hash !== known) throw wrongPassword();
    await eraseMember(tx, user);
  },
});
