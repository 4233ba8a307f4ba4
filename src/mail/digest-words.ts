import type { DigestItem, DigestLetter } from '../domain/subscription/digest-mail.ts';
import { factsOf, linkLabel } from './event-words.ts';
import type { Content } from './letter.ts';
import { oneLine } from './plain-text.ts';

/** The content of the mail about the current state of several subscriptions. */
export function digestContent({ items, more }: DigestLetter): Content {
  const organizations = new Set(items.map(({ event }) => oneLine(event.organization)));
  const from = [...organizations].filter((name) => name !== '').map((name) => `“${name}”`);
  return {
    subject: 'Your subscriptions: what has changed',
    paragraphs: [
      `There have been too many changes${from.length === 0 ? '' : ` at ${from.join(', ')}`} to send you a mail about each one. This is the current state of your subscriptions:`,
    ],
    items: items.map((item) => ({
      lines: [
        `“${oneLine(item.event.name) || 'An event'}”: ${stateOf(item)}`,
        ...factsOf({ ...item.event, organization: '' }),
      ],
      ...(item.link === null ? {} : { action: { label: linkLabel, link: item.link } }),
    })),
    closing: `${more ? 'Other subscriptions of yours have changed too. ' : ''}${items.some(hasPlace) ? 'If you cannot come to an event, please cancel your subscription so that somebody else can have the place.' : 'You do not have to do anything.'}`,
  };
}

function hasPlace({ status, cancelled }: DigestItem): boolean {
  return status === 'accepted' && !cancelled;
}

function stateOf({ status, cancelled, startsSoon }: DigestItem): string {
  if (status === 'cancelled') return 'your subscription is cancelled.';
  if (status === 'declined') return 'the organizer declined your subscription.';
  if (cancelled) return 'the event has been cancelled.';
  if (status === 'waitlisted') return 'the event is going ahead; you are on the waiting list.';
  if (status === 'pending') return 'the event is going ahead; your subscription is waiting for approval.';
  return startsSoon
    ? 'the event starts soon, and you have a place.'
    : 'the event is going ahead, and you have a place.';
}
