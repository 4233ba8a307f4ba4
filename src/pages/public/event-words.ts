import { type Html, html } from '#html-forms';
import { eventStatuses } from '../../domain/event/event.entity.ts';
import { hasEnded } from '../../domain/event/event-moment.ts';
import { eventTime, zoneWords } from '../../domain/event/event-time.ts';
import type { PublicEventRow } from '../../domain/public/public-event.resource.ts';

export type Times = Pick<PublicEventRow, 'date_start' | 'date_end' | 'timezone'>;
type State = Pick<PublicEventRow, 'status' | 'availability' | 'date_end'>;

/** In the event's own time zone: in words, and machine-readable. */
export function timeOf({ date_start, date_end, timezone }: Times, withZone = true): Html {
  const [start, end] = [new Date(date_start), new Date(date_end)];
  const zone = withZone && html`<br><span class="soft">${zoneWords(timezone, start)}</span>`;
  return html`<time datetime="${date_start}">${eventTime(start, end, timezone)}</time>${zone}`;
}

/** The common time zone of several events in words; only its name if the clocks change between them. */
export function sharedZone(events: readonly Times[]): string | null {
  const [first, ...others] = events;
  if (!first || others.length === 0 || others.some(({ timezone }) => timezone !== first.timezone)) return null;
  const words = new Set(events.map(({ timezone, date_start }) => zoneWords(timezone, new Date(date_start))));
  return words.size === 1 ? ([...words][0] ?? null) : first.timezone;
}

export const isCancelled = ({ status }: Pick<State, 'status'>): boolean => status === eventStatuses.CANCELLED;

export function badge(event: State): Html {
  if (isCancelled(event)) return html`<span class="badge bad">Cancelled</span>`;
  switch (event.availability) {
    case 'open':
      return html`<span class="badge good">Places available</span>`;
    case 'approval':
      return html`<span class="badge good">On request</span>`;
    case 'waiting_list':
      return html`<span class="badge">Waiting list</span>`;
    case 'full':
      return html`<span class="badge">Full</span>`;
    case 'closed':
      return html`<span class="badge">Registration closed</span>`;
  }
}

/** What would happen to a new subscription. @param left free places; null if there is no limit */
export function placesWords(event: State, left: number | null, now: Date): string {
  if (isCancelled(event)) return 'Closed: the event is cancelled.';
  if (hasEnded(event, now)) return 'Closed: the event is over.';
  switch (event.availability) {
    case 'open':
      return left === null ? 'There are places for everyone.' : `${placesOf(left)}.`;
    case 'approval':
      if (left === null) return 'The organizer decides who gets a place.';
      if (left === 0) return 'All places are taken at the moment. The organizer decides who gets the next one.';
      return `${placesOf(left)}. The organizer decides who gets them.`;
    case 'waiting_list':
      return left === 0 || left === null
        ? 'All places are taken. There is a waiting list.'
        : 'There is a waiting list: places go to those who have waited longest.';
    case 'full':
      return 'All places are taken.';
    case 'closed':
      return 'Closed: the organizer is not taking subscriptions.';
  }
}

function placesOf(left: number): string {
  return left === 1 ? '1 place is left' : `${left.toLocaleString('en-GB')} places are left`;
}

export function outcomeWords({ availability }: Pick<State, 'availability'>): string {
  switch (availability) {
    case 'approval':
      return 'Once you have confirmed, the organizer decides about your subscription, and you get a mail with the decision.';
    case 'waiting_list':
      return 'Once you have confirmed, you are on the waiting list and get a mail as soon as there is a place for you.';
    default:
      return 'Once you have confirmed, you have a place, provided that one is still free.';
  }
}
