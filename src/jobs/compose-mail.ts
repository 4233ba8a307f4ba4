import {
  accountErasedMail,
  passwordChangedMail,
  resetMail,
  signupMail,
  verificationMail,
} from '../domain/account/account-mail.ts';
import { guestMail } from '../domain/guest/guest-mail.ts';
import { invitationMail } from '../domain/invitation/invitation-mail.ts';
import type { ComposeContext, Mail, Postponed } from '../domain/mail/mail.ts';
import { digestMail } from '../domain/subscription/digest-mail.ts';
import { changeMail, noticeMail } from '../domain/subscription/subscription-mail.ts';
import { webhookMail } from '../domain/webhook/webhook-mail.ts';
import type { Caused } from '../kernel/usage.ts';
import type { Letter } from '../mail/letter.ts';

/** The type of the data was checked when the mail was queued. */
const mails: readonly Mail<never, Letter>[] = [
  signupMail,
  verificationMail,
  resetMail,
  passwordChangedMail,
  accountErasedMail,
  invitationMail,
  guestMail,
  changeMail,
  noticeMail,
  digestMail,
  webhookMail,
];

const byKind = new Map(mails.map((mail) => [mail.kind, mail]));

/** Null if there is nothing to send, or the kind is unknown. */
export async function composeMail(
  ctx: ComposeContext,
  kind: string,
  data: unknown,
): Promise<(Letter & Caused) | Postponed | null> {
  const composed = (await byKind.get(kind)?.compose(ctx, data as never)) ?? null;
  const { traceparent } = data as Caused;
  if (traceparent === undefined || composed === null || composed.kind === 'postponed') return composed;
  return { ...composed, traceparent };
}
