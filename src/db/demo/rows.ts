import {
  type EventRegistration,
  type EventStatus,
  type EventVisibility,
  eventRegistrations,
} from '../../domain/event/event.entity.ts';
import { slugOf } from '../../kernel/slug.ts';
import { SeededRandom, uuidOf } from '../random.ts';
import { courses, evenings, exhibitions, gallery, places, sentences } from './programme.ts';

const eventCount = 204;
/** Combinations of phase (3), status (4), visibility (2) and registration (3). */
const kindCount = 72;
const hour = 3_600_000;
const day = 24 * hour;

type Course = (typeof courses)[number];

/** An event of the demo; it has the organization's time zone. */
export interface DemoEvent extends Offer {
  id: string;
  slug: string;
  timezone: string;
}

/** Each organization is in one place, and so in one time zone. */
export const demoZones = { harbour: 'Europe/Berlin', books: 'Europe/Dublin' } as const;

/** An evening a month, of the second organization. */
export function demoBookEvents(now: Date) {
  return ['Short Stories', 'Letters from the Sea', 'A Novel in Verse'].map((book, index) => {
    const start = new Date(now.getTime() + (index + 1) * 28 * day);
    start.setUTCHours(18, 0, 0, 0);
    const name = `Reading Evening: ${book}`;
    return {
      ...{
        id: uuidOf(`demo book event ${index}`),
        name,
        slug: slugOf(name, 'event'),
        description: null,
        status: 1 as const,
      },
      ...{ date_start: start.toISOString(), date_end: new Date(start.getTime() + 2 * hour).toISOString() },
      ...{ timezone: demoZones.books, location: 'The reading room', capacity: 12 },
      ...{ visibility: 'organization' as const, registration: 'open' as const },
      ...{ created_at: now.toISOString(), updated_at: now.toISOString() },
    };
  });
}

/** The events: every combination of phase, status, visibility and registration once, then courses and mostly active evenings. */
export function demoEvents(now: Date): DemoEvent[] {
  const random = new SeededRandom(2);
  const slugs = new Set<string>();
  const everyKind = Array.from({ length: kindCount }, (_, index) => {
    const phase = (['past', 'running', 'future'] as const)[index % 3] ?? 'future';
    const state: State = {
      status: (Math.floor(index / 3) % 4) as EventStatus,
      visibility: index >= kindCount / 2 ? 'public' : 'organization',
      registration: eventRegistrations[Math.floor(index / 12) % 3] ?? 'open',
    };
    return phase === 'running'
      ? exhibition(random, index, state, now)
      : evening(random, distance(random, phase), state, now);
  });
  const ofCourses = courses.flatMap((course, index) => courseEvenings(random, course, index, now));
  const others = Array.from({ length: eventCount - kindCount - ofCourses.length }, () =>
    evening(random, distance(random, random.pick(['past', 'future', 'future'])), anyState(random), now),
  );
  return [...everyKind, ...ofCourses, ...others].map((offer, index) => ({
    ...offer,
    id: uuidOf(`demo event ${index}`),
    slug: unique(slugs, slugOf(offer.name, 'event')),
    timezone: demoZones.harbour,
  }));
}

interface State {
  status: EventStatus;
  visibility: EventVisibility;
  registration: EventRegistration;
}

/** An event without what depends on the others. */
interface Offer extends State {
  name: string;
  description: string | null;
  location: string | null;
  capacity: number | null;
  date_start: string;
  date_end: string;
  created_at: string;
  updated_at: string;
}

function anyState(random: SeededRandom): State {
  return {
    status: random.pick<EventStatus>([1, 1, 1, 1, 1, 1, 0, 2, 3]),
    visibility: random.next() < 0.6 ? 'public' : 'organization',
    registration: random.pick(eventRegistrations),
  };
}

/** In how many days an event is; negative if it is over. */
function distance(random: SeededRandom, phase: 'past' | 'future'): number {
  return (phase === 'past' ? -1 : 1) * random.integer(1, 240);
}

/** An evening of two or three hours, as people who work come to them. */
function evening(random: SeededRandom, days: number, state: State, now: Date): Offer {
  const { subject, about, kinds } = random.pick(evenings);
  const start = localTime(now, days, random.pick([18, 18, 19, 19, 20]));
  return offer(
    random,
    { ...state, name: `${subject} ${random.pick(kinds)}`, about, start, hours: random.pick([2, 3]) },
    now,
  );
}

/** The evenings of a course, a week apart, in one place at one hour. */
function courseEvenings(
  random: SeededRandom,
  { name, about, location, weeks }: Course,
  index: number,
  now: Date,
): Offer[] {
  const first = (index % 4) * 21 - 40 + index;
  const state: State = {
    status: 1,
    visibility: index === 3 ? 'organization' : 'public',
    registration: index === 1 ? 'approval' : 'open',
  };
  const start = localTime(now, first, 18);
  const shared = offer(random, { ...state, name, about: `${about}: ${weeks} evenings`, start, hours: 2 }, now);
  return Array.from({ length: weeks }, (_, week) => {
    const begin = localTime(now, first + 7 * week, 18);
    return { ...shared, ...dates(begin, 2), name: `${name}, Evening ${week + 1} of ${weeks}`, capacity: 12, location };
  });
}

/** What is open for some days, from ten to six, so that something is running whenever the demo is looked at. */
function exhibition(random: SeededRandom, index: number, state: State, now: Date): Offer {
  const { name, about } =
    exhibitions[(Math.floor(index / 3) + Math.floor(index / 12)) % exhibitions.length] ?? random.pick(exhibitions);
  const start = localTime(now, -random.integer(2, 12), 10);
  const end = localTime(now, random.integer(3, 14), 18);
  const hours = (end.getTime() - start.getTime()) / hour;
  return { ...offer(random, { ...state, name, about, start, hours }, now), location: gallery };
}

interface Made extends State {
  name: string;
  about: string;
  start: Date;
  hours: number;
}

function offer(random: SeededRandom, { name, about, start, hours, ...state }: Made, now: Date): Offer {
  const created = new Date(Math.min(start.getTime(), now.getTime()) - random.integer(5, 60) * day);
  return {
    ...state,
    name,
    description: random.next() < 0.85 ? `${about}.\n\n${random.shuffle(sentences).slice(0, 2).join(' ')}` : null,
    location: random.next() < 0.9 ? random.pick(places) : null,
    capacity: random.next() < 0.3 ? null : random.pick([8, 12, 20, 30, 60]),
    ...dates(start, hours),
    created_at: created.toISOString(),
    updated_at: new Date(created.getTime() + random.integer(0, 4) * day).toISOString(),
  };
}

function dates(start: Date, hours: number) {
  return { date_start: start.toISOString(), date_end: new Date(start.getTime() + hours * hour).toISOString() };
}

/** An hour by the clock of the harbour, so many days from now. */
function localTime(now: Date, days: number, clock: number): Date {
  const noon = new Date(Math.floor(now.getTime() / day) * day + days * day + 12 * hour);
  const shown = noon.toLocaleString('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: demoZones.harbour });
  return new Date(noon.getTime() + (clock - Number(shown)) * hour);
}

function unique(taken: Set<string>, base: string): string {
  let slug = base;
  for (let number = 2; taken.has(slug); number += 1) slug = `${base}-${number}`;
  taken.add(slug);
  return slug;
}
