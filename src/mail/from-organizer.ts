import type { SendMailOptions } from 'nodemailer';
import { isEmailAddress } from '#input-values';
import { plainText } from '#safe-markdown';
import { calendarPieces } from '../calendar/calendar.ts';
import type { EventFacts } from '../domain/event/event-facts.ts';
import type { SubscriptionLetter } from '../domain/subscription/subscription-mail.ts';
import type { Letter } from './letter.ts';

export interface Sender {
  name: string;
  address: string;
}

/**
 * A mail about a subscription names its organizer as the sender, reaches them by a reply, and has the event for calendars. Mails that
 * strangers can have sent to any address do not: their sender is the service alone.
 *
 * @param host makes the ids of events the same as in the calendars of the service
 */
export function fromOrganizer(letter: Letter, sender: Sender, host: string): SendMailOptions {
  if (letter.kind !== 'subscription' && letter.kind !== 'event_notice') return {};
  const { organization, contact } = letter.event;
  const organizer = plainText(organization, 60);
  const file = calendarFile(letter, host);
  return {
    ...(organizer === '' ? {} : { from: { ...sender, name: `${organizer} via ${sender.name}` } }),
    // nodemailer would repair an invalid address
    ...(contact !== null && isEmailAddress(contact) ? { replyTo: contact } : {}),
    ...(file === null ? {} : { attachments: [file] }),
  };
}

/** For those who have a place. */
function calendarFile(letter: SubscriptionLetter, host: string) {
  if (letter.status !== 'accepted') return null;
  const isCancelled = letter.kind === 'event_notice' && letter.notice === 'cancelled';
  const event = { ...forCalendar(letter.event), status: isCancelled ? 'CANCELLED' : 'CONFIRMED' } as const;
  return {
    filename: 'event.ics',
    contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
    content: [...calendarPieces([event], { name: event.name, host })].join(''),
  };
}

function forCalendar({ id, name, location, timezone, version, ...times }: EventFacts) {
  const { start, end, created, updated } = times;
  return {
    ...{ id, name, description: null, location, timezone, version },
    ...{ date_start: start.toISOString(), date_end: end.toISOString() },
    ...{ created_at: created.toISOString(), updated_at: updated.toISOString() },
  };
}
