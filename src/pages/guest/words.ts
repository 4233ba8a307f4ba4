import { requestHours } from '../../domain/guest/guest-mail.ts';
import type { SubscriptionStatus } from '../../domain/subscription/subscription.entity.ts';
import type { DomainError, ErrorCode } from '../../kernel/errors.ts';

/** What a subscription is, for its holder. */
export const standing: Record<SubscriptionStatus, { title: string; text: string; look: 'good' | 'bad' | '' }> = {
  accepted: { title: 'You have a place', text: 'We look forward to seeing you.', look: 'good' },
  pending: {
    title: 'Waiting for approval',
    text: 'The organizer decides about your subscription. You get the answer by mail.',
    look: '',
  },
  waitlisted: {
    title: 'You are on the waiting list',
    text: 'There is no free place at the moment. You get a mail as soon as there is one for you.',
    look: '',
  },
  declined: {
    title: 'Declined',
    text: 'The organizer declined your subscription. If you think that this is a mistake, please ask them.',
    look: 'bad',
  },
  cancelled: { title: 'Cancelled', text: 'Your subscription is cancelled.', look: 'bad' },
};

/** Why a link, or what was asked for with it, does not work. */
const refusals: Partial<Record<ErrorCode, [title: string, text: string]>> = {
  INVALID_VERIFICATION_TOKEN: [
    'This link does not work any more',
    'It has already been used, or has expired. If you have several mails about one event, the first link that was confirmed counts, and the others ended with it; the mail that came then has a link to your subscription.',
  ],
  EVENT_FULL: [
    'All places are taken',
    `The event has filled up since you asked. Your link still works within its ${requestHours} hours: please try it again later, perhaps somebody cancels.`,
  ],
  REGISTRATION_CLOSED: ['Registration is closed', 'The organizer takes no more subscriptions to this event.'],
  SUBSCRIPTION_DECLINED: [
    'Your subscription was declined',
    'The organizer declined an earlier subscription of yours to this event. If you think that this is a mistake, please ask them.',
  ],
  ALREADY_SUBSCRIBED: [
    'You have already subscribed',
    'Nothing was changed. The mail that you got then has a link to your subscription.',
  ],
  INVALID_TRANSITION: [
    'This cannot be changed any more',
    'The event is over, you have been checked in, or the organizer has changed your subscription meanwhile.',
  ],
};

/** A refusal in words; null if it is none that a guest can meet. */
export function refusalOf({ code }: DomainError): { title: string; text: string } | null {
  const [title, text] = refusals[code] ?? [];
  return title === undefined || text === undefined ? null : { title, text };
}

/** Opened without its token, as after a reload: scripts take it out of the address bar. */
export const incomplete = {
  title: 'Please open the link in the mail again',
  text: 'The address of this page is not complete. For safety it does not stay in the address bar.',
};
