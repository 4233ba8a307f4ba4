import { z } from 'zod';
import { emailAddress, text } from '#input-values';
import type { Context } from '../../engine/context.ts';
import { smallTransaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { networkKeys } from '../../kernel/limits/client-network.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { queueMail } from '../mail/mail.ts';
import { verificationMail } from './account-mail.ts';
import { useToken } from './one-time-token.ts';
import { proveAccount } from './prove-account.ts';

export const mailRequestInput = z.strictObject({ email: emailAddress });
export const verifyEmailInput = z.strictObject({ token: text });

/**
 * Requests another verification mail. The account is looked up only after the response, which therefore cannot reveal
 * whether it exists (reference/accounts.md#sign-up).
 * @throws DomainError RATE_LIMITED
 */
export async function requestVerification(ctx: Context, { email }: z.output<typeof mailRequestInput>): Promise<void> {
  await spend(ctx, ...networkKeys('mail_network', ctx.client.ip));
  await queueMail(ctx, verificationMail, { email, client: ctx.client });
}

/**
 * Verifies an address with a mailed token; joins or creates the organization that the mail named, if that still accepts
 * members by sign-up.
 * @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED
 */
export async function verifyEmail(ctx: Context, { token }: z.output<typeof verifyEmailInput>): Promise<void> {
  await spend(ctx, ...networkKeys('token_network', ctx.client.ip));
  const userId = await smallTransaction(ctx, async (tx) => {
    const used = await useToken(tx, token, 'verify_email');
    if (!used) throw new DomainError('INVALID_VERIFICATION_TOKEN');
    await proveAccount(tx, used, 'verification_mail');
    return used.user_id;
  });
  ctx.services.access.forgetUser(userId);
}
