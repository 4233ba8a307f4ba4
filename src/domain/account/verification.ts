import { z } from 'zod';
import type { Context } from '../../engine/context.ts';
import { smallTransaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { emailAddress } from '../../kernel/input/email-address.ts';
import { text } from '../../kernel/input/text.ts';
import { networkKeys } from '../../kernel/limits/client-network.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { queueMail } from '../mail/mail.ts';
import { verificationMail } from './account-mail.ts';
import { useToken } from './one-time-token.ts';
import { proveAccount } from './prove-account.ts';

/** The input of requests for a mail. */
export const mailRequestInput = z.strictObject({ email: emailAddress });
export const verifyEmailInput = z.strictObject({ token: text });

/**
 * Requests another verification mail. Nothing is looked up before the response, so that it cannot reveal whether the
 * account exists (reference/accounts.md#sign-up).
 *
 * @throws DomainError RATE_LIMITED
 */
export async function requestVerification(ctx: Context, { email }: z.output<typeof mailRequestInput>): Promise<void> {
  await spend(ctx, ...networkKeys('mail_network', ctx.client.ip));
  await queueMail(ctx, verificationMail, { email, client: ctx.client });
  ctx.services.jobs.nudge('account_mails');
}

/**
 * Verifies the address of an account with a mailed token, and joins the organization that the mail named, if it still
 * accepts members by sign-up, or creates it.
 *
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
