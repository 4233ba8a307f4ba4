import { z } from 'zod';
import { text } from '#input-values';
import { hashPassword, passwordFault } from '#passwords';
import type { Context } from '../../engine/context.ts';
import { smallTransaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { networkKeys } from '../../kernel/limits/client-network.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { recordAudit } from '../audit/audit.ts';
import { queueMail } from '../mail/mail.ts';
import { takePasswordTurn } from '../session/password-turns.ts';
import { lockUser } from '../user/lock-user.ts';
import { passwordChangedMail, resetMail } from './account-mail.ts';
import { endAccess } from './end-access.ts';
import { cancelToken, findTokenOwner, useToken } from './one-time-token.ts';
import { newPassword, weakPassword } from './password-policy.ts';
import { proveAccount } from './prove-account.ts';
import type { mailRequestInput } from './verification.ts';

export const resetPasswordInput = z.strictObject({ token: text, password: newPassword });

/**
 * Requests a mail to set a new password. The account is looked up only after the response, which therefore cannot reveal
 * whether it exists (reference/accounts.md#sign-up).
 * @throws DomainError RATE_LIMITED
 */
export async function requestPasswordReset(ctx: Context, { email }: z.output<typeof mailRequestInput>): Promise<void> {
  await spend(ctx, ...networkKeys('mail_network', ctx.client.ip));
  await queueMail(ctx, resetMail, { email, client: ctx.client });
}

/**
 * Sets a password with a mailed token, and ends all sessions and the secret calendar address. The token proves the mailbox,
 * so the account is then verified; a pending sign-up is deleted unless the token was mailed for it. A refused password does
 * not consume the token.
 * @throws DomainError INVALID_RESET_TOKEN, VALIDATION_ERROR (with WEAK_PASSWORD), RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function resetPassword(ctx: Context, input: z.output<typeof resetPasswordInput>): Promise<void> {
  await spend(ctx, ...networkKeys('token_network', ctx.client.ip));
  const owner = await findTokenOwner(ctx, input.token, 'reset_password');
  // before hashing: an invalid token must not cost a hash
  if (!owner) throw new DomainError('INVALID_RESET_TOKEN');
  const fault = passwordFault(input.password, owner.email);
  if (fault !== null) throw weakPassword(fault);
  const hash = await takePasswordTurn('sign_in', ctx, owner.id, () => hashPassword(input.password));
  const userId = await smallTransaction(ctx, async (tx) => {
    const used = await useToken(tx, input.token, 'reset_password');
    if (!used) throw new DomainError('INVALID_RESET_TOKEN');
    const { user_id: id } = used;
    const user = await lockUser(tx, id);
    if (!user) throw new DomainError('INVALID_RESET_TOKEN');
    await proveAccount(tx, used, 'reset_mail');
    user.password_hash = hash;
    await cancelToken(tx, id, 'verify_email');
    await endAccess(tx, { userId: id });
    await recordAudit(tx, { action: 'user.password_reset', actorId: id, subjectId: id });
    await queueMail(tx, passwordChangedMail, { userId: id });
    return id;
  });
  // evicts the entry of this process at once, without waiting for the notification
  ctx.services.access.forgetUser(userId);
}
