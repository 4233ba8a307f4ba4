import type { EventFacts } from '../domain/event/event-facts.ts';
import { eventTime } from '../domain/event/event-time.ts';
import { reminderHours } from '../domain/event/reminder.ts';
import type { Content } from './content.ts';
import type { EventLetter } from './letter.ts';
import { plainText } from './plain-text.ts';

/** The content of the mails about events and subscriptions. */
export function eventContent(letter: EventLetter): Content {
  const name = plainText(letter.event.name, 200) || 'an event';
  const { subject, opening, closing } = wordsFor(letter, name);
  // strangers cause these mails, to whatever address: no text of theirs or of the organizer is in their subjects
  const isOurs = letter.kind === 'guest_confirm' || letter.kind === 'guest_link';
  return {
    subject: isOurs ? subject : `${subject}: ${shorten(name, subjectLength)}`,
    paragraphs: [opening, ...factsOf(letter.event)],
    ...(letter.link === null ? {} : { action: { label: labelOf(letter), link: letter.link } }),
    closing,
  };
}

function wordsFor(letter: EventLetter, name: string): EventWords {
  switch (letter.kind) {
    case 'subscription':
      return subscriptionWords(letter, name);
    case 'event_notice':
      return noticeWords(letter, name);
    case 'guest_confirm':
      return confirmWords(letter, name);
    case 'guest_link':
      return {
        subject: 'You have subscribed already',
        opening: `Somebody wants to subscribe with this e-mail address to “${name}”, which already has a subscription. Nothing was changed.`,
        closing: `${standing(letter.status)} Keep the link to yourself: whoever has it can change or cancel your subscription.`,
      };
  }
}

/** The name that was typed may be a stranger's message, so nothing in it reads as a link. */
function confirmWords(
  { name: typed, hours }: Extract<EventLetter, { kind: 'guest_confirm' }>,
  name: string,
): EventWords {
  const person = plainText(typed, 60);
  const who = person === '' ? 'Somebody' : `Somebody with the name “${person}”`;
  return {
    subject: 'Confirm your subscription',
    opening: `${who} wants to subscribe with this e-mail address to “${name}”. If that was you, please confirm it. The link works once, within ${hours} hours.`,
    closing: 'If this was not you, ignore this mail: nothing happens unless the link is used.',
  };
}

function labelOf({ kind }: EventLetter): string {
  return kind === 'guest_confirm' ? 'Confirm the subscription' : linkLabel;
}

export const linkLabel = 'See, change or cancel your subscription';

/** Characters of a name in a subject: mail programs show little more. */
const subjectLength = 80;

function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}

interface EventWords {
  /** What happened; the name of the event follows, except in mails that strangers cause. */
  subject: string;
  opening: string;
  closing: string;
}

const giveBack = 'If you cannot come, please cancel your subscription, so that somebody else gets the place.';
const nothingToDo = 'You do not have to do anything.';

function subscriptionWords({ status, by }: Extract<EventLetter, { kind: 'subscription' }>, name: string): EventWords {
  switch (status) {
    case 'accepted':
      return {
        subject: 'You have a place',
        opening:
          by === 'list'
            ? `A place at “${name}” has become free, and it is yours: you are no longer waiting.`
            : `You have a place at “${name}”.`,
        closing: giveBack,
      };
    case 'pending':
      return {
        subject: 'Waiting for approval',
        opening: `Your subscription to “${name}” is waiting for the organizer's approval.`,
        closing: 'You will get another mail when the organizer has decided.',
      };
    case 'waitlisted':
      return {
        subject: 'You are on the waiting list',
        opening: `“${name}” has no free place. You are on the waiting list.`,
        closing:
          'You will get another mail as soon as you have a place. If you no longer want one, please cancel your subscription.',
      };
    case 'declined':
      return {
        subject: 'Your subscription was declined',
        opening: `The organizer declined your subscription to “${name}”.`,
        closing: 'If you think that this is a mistake, please ask the organizer.',
      };
    case 'cancelled':
      return by === 'holder'
        ? {
            subject: 'You have cancelled',
            opening: `Your subscription to “${name}” is cancelled, as you asked.`,
            closing: 'If you change your mind, you can subscribe again while there are places.',
          }
        : {
            subject: 'Your subscription was cancelled',
            opening: `The organizer cancelled your subscription to “${name}”.`,
            closing: 'If you think that this is a mistake, please ask the organizer.',
          };
  }
}

function noticeWords({ notice, status }: Extract<EventLetter, { kind: 'event_notice' }>, name: string): EventWords {
  switch (notice) {
    case 'cancelled':
      return {
        subject: 'Cancelled',
        opening: `“${name}” has been cancelled. It was planned as follows:`,
        closing: `${nothingToDo} You will get a mail if it takes place after all.`,
      };
    case 'reinstated':
      return {
        subject: 'It takes place after all',
        opening: `“${name}” takes place after all. ${standing(status)}`,
        closing: wayOut(status),
      };
    case 'changed':
      return {
        subject: 'New time or place',
        opening: `The time or the place of “${name}” has changed. The new details:`,
        closing: `${standing(status)} ${wayOut(status)}`,
      };
    case 'reminder':
      return {
        subject: 'Starts soon',
        opening: `“${name}” starts within ${reminderHours} hours, and you have a place.`,
        closing: giveBack,
      };
  }
}

/** The state of the recipient's subscription. */
function standing(status: string): string {
  if (status === 'accepted') return 'Your place is still yours.';
  if (status === 'waitlisted') return 'You are still on the waiting list.';
  return 'Your subscription is still waiting for approval.';
}

function wayOut(status: string): string {
  return status === 'accepted' ? giveBack : 'If you no longer want a place, please cancel your subscription.';
}

/** The event's time, in its own time zone, its place and its organizer. */
export function factsOf({ start, end, timezone, location, organization }: EventFacts): string[] {
  const where = location === null ? '' : plainText(location, 300);
  const organizer = plainText(organization, 80);
  return [
    `When: ${eventTime(start, end, timezone)} (${timezone})`,
    ...(where === '' ? [] : [`Where: ${where}`]),
    ...(organizer === '' ? [] : [`Organizer: ${organizer}`]),
  ];
}
