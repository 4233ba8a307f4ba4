import { accountMail } from '../domain/account/account-mail.ts';
import { guestMail } from '../domain/guest/guest-mail.ts';
import { invitationMail } from '../domain/invitation/invitation-mail.ts';
import type { ComposeContext, Composed, Composers } from '../domain/mail/composing.ts';
import type { MailKind } from '../domain/mail/mail-job.ts';
import { digestMail } from '../domain/subscription/digest-mail.ts';
import { subscriptionMail } from '../domain/subscription/subscription-mail.ts';

const composers: Composers = { ...accountMail, ...invitationMail, ...subscriptionMail, ...digestMail, ...guestMail };

/**
 * Composes the letter of a queued mail when it is sent, tokens included, so that the queue contains no secrets and the
 * request did not have to look up the account. Null if there is nothing to send, or no such kind.
 */
export async function composeMail(ctx: ComposeContext, kind: string, data: unknown): Promise<Composed> {
  const compose = Object.hasOwn(composers, kind) ? composers[kind as MailKind] : undefined;
  return compose ? await compose(ctx, data as never) : null;
}
