import { oneLine, plainText } from '#safe-markdown';
import type { EventFacts } from '../domain/event/event-facts.ts';
import { eventTime } from '../domain/event/event-time.ts';
import { reminderHours } from '../domain/event/reminder.ts';
import type { DigestItem, DigestLetter } from '../domain/subscription/digest-mail.ts';
import type { Content, EventLetter } from './letter.ts';

export function eventContent(letter: EventLetter): Content {
  // strangers can have these mails sent to any address, so the subjects contain no text of users
  const isOurs = letter.kind === 'guest_confirm' || letter.kind === 'guest_link';
  const event = isOurs ? withoutLinks(letter.event) : letter.event;
  const name = oneLine(event.name) || 'an event';
  const { subject, opening, closing } = (words[letter.kind] as (letter: EventLetter, name: string) => EventWords)(
    letter,
    name,
  );
  return {
    subject: isOurs ? subject : `${subject}: ${shorten(name, subjectLength)}`,
    paragraphs: [opening, ...factsOf(event)],
    ...(letter.link === null
      ? {}
      : { action: { label: letter.kind === 'guest_confirm' ? subject : linkLabel, link: letter.link } }),
    closing,
  };
}

/** For somebody who may not have asked for them. */
function withoutLinks({ name, location, organization, ...facts }: EventFacts): EventFacts {
  return {
    ...facts,
    name: plainText(name, 200),
    location: location && plainText(location, 300),
    organization: plainText(organization, 80),
  };
}

const linkLabel = 'View, change or cancel your subscription';

/** Characters of a name in a subject: mail programs show little more. */
const subjectLength = 80;

function shorten(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const shortened = characters.slice(0, length - 1).join('');
  return `${shortened.trimEnd()}…`;
}

interface EventWords {
  /** What happened. The name of the event follows, except in mails that strangers can cause. */
  subject: string;
  opening: string;
  closing: string;
}

const cancelIfAbsent = 'If you cannot come, please cancel your subscription so that somebody else can have the place.';
const contactOrganizer = 'If you think this is a mistake, please contact the organizer.';
const nothingToDo = 'You do not have to do anything.';

type Change = Extract<EventLetter, { kind: 'subscription' }>;
type Notice = Extract<EventLetter, { kind: 'event_notice' }>;

const words: {
  [Kind in EventLetter['kind']]: (letter: Extract<EventLetter, { kind: Kind }>, name: string) => EventWords;
} = {
  subscription: (letter, name) => subscriptionWords[letter.status](name, letter.by),
  event_notice: (letter, name) => noticeWords[letter.notice](name, letter),
  guest_confirm: ({ name: typed, hours }, name) => {
    // the typed name may be a stranger's message, so nothing in it may read as a link
    const person = plainText(typed, 60);
    const who = person === '' ? 'Somebody' : `Somebody named “${person}”`;
    return {
      subject: 'Confirm your subscription',
      opening: `${who} asked to subscribe to “${name}” with this e-mail address. If that was you, please confirm. The link works once, within ${hours} hours.`,
      closing: 'If this was not you, ignore this mail: nothing happens unless the link is used.',
    };
  },
  guest_link: ({ status }, name) => ({
    subject: 'You have already subscribed',
    opening: `Somebody asked to subscribe to “${name}” with this e-mail address, which already has a subscription. Nothing has changed.`,
    closing: `${stateWords(status)} Keep the link to yourself: anyone who has it can change or cancel your subscription.`,
  }),
};

const subscriptionWords: Record<Change['status'], (name: string, by: Change['by']) => EventWords> = {
  accepted: (name, by) => ({
    subject: 'You have a place',
    opening:
      by === 'list'
        ? `A place at “${name}” has become available, and it is yours: you are no longer on the waiting list.`
        : `You have a place at “${name}”.`,
    closing: cancelIfAbsent,
  }),
  pending: (name) => ({
    subject: 'Waiting for approval',
    opening: `Your subscription to “${name}” is waiting for the organizer's approval.`,
    closing: 'You will get another mail when the organizer has decided.',
  }),
  waitlisted: (name) => ({
    subject: 'You are on the waiting list',
    opening: `All places at “${name}” are taken. You are on the waiting list.`,
    closing:
      'You will get another mail as soon as you have a place. If you no longer want one, please cancel your subscription.',
  }),
  declined: (name) => ({
    subject: 'Your subscription was declined',
    opening: `The organizer declined your subscription to “${name}”.`,
    closing: contactOrganizer,
  }),
  cancelled: (name, by) =>
    by === 'holder'
      ? {
          subject: 'You cancelled your subscription',
          opening: `Your subscription to “${name}” is cancelled, as you asked.`,
          closing: 'If you change your mind, you can subscribe again as long as places are left.',
        }
      : {
          subject: 'Your subscription was cancelled',
          opening: `The organizer cancelled your subscription to “${name}”.`,
          closing: contactOrganizer,
        },
};

const noticeWords: Record<Notice['notice'], (name: string, letter: Notice) => EventWords> = {
  cancelled: (name, { event }) => ({
    subject: 'Cancelled',
    opening: `“${name}” has been cancelled. The original details:`,
    // with its organization an event is gone for good
    closing: event.gone ? nothingToDo : `${nothingToDo} You will get a mail if it goes ahead after all.`,
  }),
  reinstated: (name, { status }) => ({
    subject: 'Going ahead after all',
    opening: `“${name}” is going ahead after all. ${stateWords(status)}`,
    closing: cancelAdvice(status),
  }),
  changed: (name, { status }) => ({
    subject: 'New time or place',
    opening: `The time or the place of “${name}” has changed. The new details:`,
    closing: `${stateWords(status)} ${cancelAdvice(status)}`,
  }),
  reminder: (name) => ({
    subject: 'Starts soon',
    opening: `“${name}” starts within ${reminderHours} hours, and you have a place.`,
    closing: cancelIfAbsent,
  }),
};

function stateWords(status: string): string {
  if (status === 'accepted') return 'You still have your place.';
  if (status === 'waitlisted') return 'You are still on the waiting list.';
  return 'Your subscription is still waiting for approval.';
}

function cancelAdvice(status: string): string {
  return status === 'accepted' ? cancelIfAbsent : 'If you no longer want a place, please cancel your subscription.';
}

export function factsOf({ start, end, timezone, location, organization }: EventFacts): string[] {
  const where = location === null ? '' : oneLine(location);
  const organizer = oneLine(organization);
  return [
    `When: ${eventTime(start, end, timezone)} (${timezone})`,
    ...(where === '' ? [] : [`Where: ${where}`]),
    ...(organizer === '' ? [] : [`Organizer: ${organizer}`]),
  ];
}

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
    closing: `${more ? 'Other subscriptions of yours have changed too. ' : ''}${items.some((item) => item.status === 'accepted' && !item.cancelled) ? 'If you cannot come to an event, please cancel your subscription so that somebody else can have the place.' : nothingToDo}`,
  };
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
