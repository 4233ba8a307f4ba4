import type { AccountLetter } from '../domain/account/account-mail.ts';
import type { GuestLetter } from '../domain/guest/guest-mail.ts';
import type { InvitationLetter } from '../domain/invitation/invitation-mail.ts';
import type { DigestLetter } from '../domain/subscription/digest-mail.ts';
import type { SubscriptionLetter } from '../domain/subscription/subscription-mail.ts';
import type { WebhookLetter } from '../domain/webhook/webhook-mail.ts';

export type EventLetter = SubscriptionLetter | GuestLetter;

/** The content of a mail, before it is put into words. Never stored or logged: `link` contains a secret. */
export type Letter = AccountLetter | InvitationLetter | EventLetter | DigestLetter | WebhookLetter;

export interface Content {
  subject: string;
  paragraphs: string[];
  action?: Action;
  /** Blocks of lines after the paragraphs. */
  items?: { lines: string[]; action?: Action }[];
  closing: string;
}

interface Action {
  label: string;
  link: string;
}
