import { requestHours } from '../../domain/guest/guest-mail.ts';
import type { SubscriptionStatus } from '../../domain/subscription/subscription.entity.ts';
import type { DomainError, ErrorCode } from '../../kernel/errors.ts';

export const subscriptionStatusWords: Record<
  SubscriptionStatus,
  { title: string; text: string; look: 'good' | 'bad' | '' }
> = {
  accepted: { title: 'You have a place', text: 'We look forward to seeing you.', look: 'good' },
  pending: {
    title: 'Waiting for approval',
    text: 'The organizer will decide about your subscription. You will get a mail with the decision.',
    look: '',
  },
  waitlisted: {
    title: 'You are on the waiting list',
    text: 'All places are taken at the moment. You will get a mail as soon as you have one.',
    look: '',
  },
  declined: {
    title: 'Declined',
    text: 'The organizer declined your subscription. If you think this is a mistake, please contact them.',
    look: 'bad',
  },
  cancelled: { title: 'Cancelled', text: 'Your subscription is cancelled.', look: 'bad' },
};

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

export function placeWords(position: number): string {
  const ending = endings[ordinals.select(position)] ?? 'th';
  return `You are ${position.toLocaleString('en-GB')}${ending} on the waiting list`;
}

const refusals: Partial<Record<ErrorCode, [title: string, text: string]>> = {
  INVALID_VERIFICATION_TOKEN: [
    'This link no longer works',
    'It has already been used or has expired. If you got several mails about one event, only the first link that you confirmed counts; the others no longer work. The mail that you got after confirming has a link to your subscription.',
  ],
  EVENT_FULL: [
    'All places are taken',
    `The event has filled up since you asked. Your link stays valid for its ${requestHours} hours, so please try again later: somebody may cancel.`,
  ],
  REGISTRATION_CLOSED: ['Registration is closed', 'The organizer is no longer taking subscriptions to this event.'],
  SUBSCRIPTION_DECLINED: [
    'Your subscription was declined',
    'The organizer declined an earlier subscription of yours to this event. If you think this is a mistake, please contact them.',
  ],
  ALREADY_SUBSCRIBED: [
    'You have already subscribed',
    'Nothing has changed. The mail that you got when you subscribed has a link to your subscription.',
  ],
  FORBIDDEN: [
    'You have an account',
    'Nothing was erased. Your data belong to your account: please sign in and erase that, or ask the organizer to.',
  ],
  INVALID_TRANSITION: [
    'This can no longer be changed',
    'The event is over, you have been checked in, or the organizer has changed your subscription in the meantime.',
  ],
};

/** Null for an error that a guest should never get. */
export function refusalWords({ code }: DomainError): { title: string; text: string } | null {
  const [title, text] = refusals[code] ?? [];
  return title === undefined || text === undefined ? null : { title, text };
}

export const erased = {
  title: 'Your data are erased',
  text: 'We are sending you a last mail that confirms it. You can subscribe again at any time.',
};

/** For a page without its token, for example after a reload: a script removes it from the address bar. */
export const incomplete = {
  title: 'Please open the link in the mail again',
  text: 'The address of this page is incomplete. For your security, the full address does not stay in the address bar.',
};
