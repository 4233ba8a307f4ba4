import { type EventRegistration, type EventStatus, eventRegistrations } from '../../domain/event/event.entity.ts';
import { slugOf } from '../../domain/slug.ts';
import type { SubscriptionStatus } from '../../domain/subscription/subscription.entity.ts';
import { SeededRandom, uuidOf } from '../random.ts';
import { firstNames, kinds, lastNames, places, sentences, subjects } from './words.ts';

const eventCount = 204;
const memberCount = 90;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type Phase = 'past' | 'running' | 'future';

export interface DemoPerson {
  id: string;
  name: string;
  email: string;
}

/** The members besides those with an account to sign in with. */
export function demoMembers(): DemoPerson[] {
  const random = new SeededRandom(1);
  return Array.from({ length: memberCount }, (_, index) => {
    const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`;
    return {
      id: uuidOf(`demo user ${index}`),
      name,
      email: `${slugOf(name, 'member')
        .normalize('NFKD')
        .replace(/[^a-z-]/g, '')}-${index + 1}@demo.example`,
    };
  });
}

/** The events: every phase, status, visibility and registration together at least once, then mostly active ones. */
export function demoEvents(now: Date) {
  const random = new SeededRandom(2);
  const slugs = new Set<string>();
  return Array.from({ length: eventCount }, (_, index) => {
    const phases: Phase[] = ['past', 'running', 'future'];
    const each = index < 72;
    const phase = each
      ? (phases[index % 3] ?? 'future')
      : random.pick<Phase>(['past', 'past', 'past', 'future', 'future', 'future', 'future', 'running']);
    const status = (each ? Math.floor(index / 3) % 4 : random.pick([1, 1, 1, 1, 1, 1, 0, 2, 3])) as EventStatus;
    const visibility = (each ? index >= 36 : random.next() < 0.6) ? ('public' as const) : ('organization' as const);
    const registration =
      (each ? eventRegistrations[Math.floor(index / 12) % 3] : random.pick(eventRegistrations)) ?? 'open';
    const { start, end } = demoDates(random, phase, now);
    const name = `${random.pick(subjects)} ${random.pick(kinds)}`;
    const created = new Date(Math.min(start.getTime(), now.getTime()) - random.integer(5, 60) * day);
    return {
      id: uuidOf(`demo event ${index}`),
      name,
      slug: unique(slugs, slugOf(name, 'event')),
      description: random.next() < 0.85 ? random.shuffle(sentences).slice(0, 3).join(' ') : null,
      status,
      dateStart: start,
      dateEnd: end,
      timezone: random.pick(['Europe/Berlin', 'Europe/Berlin', 'Europe/Lisbon', 'UTC']),
      location: random.next() < 0.9 ? random.pick(places) : null,
      capacity: random.next() < 0.3 ? null : random.pick([8, 12, 20, 30, 60]),
      visibility,
      registration,
      createdAt: created,
      updatedAt: new Date(created.getTime() + random.integer(0, 4) * day),
    };
  });
}

function demoDates(random: SeededRandom, phase: Phase, now: Date): { start: Date; end: Date } {
  const hourStart = Math.floor(now.getTime() / hour) * hour;
  const length = random.pick([1, 2, 2, 3, 4, 8, 26, 50]) * hour;
  if (phase === 'running') {
    // begun, and on for days, so that the demo still shows it tomorrow
    const start = hourStart - random.integer(1, 30) * hour;
    return { start: new Date(start), end: new Date(hourStart + random.integer(2, 14) * day) };
  }
  const distance = random.integer(1, 240) * day + random.integer(0, 10) * hour;
  const start = phase === 'past' ? hourStart - distance - length : hourStart + distance;
  return { start: new Date(start), end: new Date(start + length) };
}

type DemoEvent = ReturnType<typeof demoEvents>[number];

/** The subscriptions, in all states, no more of them accepted than an event has places. */
export function demoSubscriptions(events: DemoEvent[], people: { id: string }[], now: Date) {
  const random = new SeededRandom(3);
  return events.flatMap((event, eventIndex) => {
    if (event.status === 0) return [];
    let places = event.capacity ?? Number.POSITIVE_INFINITY;
    return random
      .shuffle(people)
      .slice(0, random.integer(0, 36))
      .map((person, index) => {
        const status = demoStatus(random, event.registration, places);
        if (status === 'accepted') places -= 1;
        const latest = Math.min(event.dateStart.getTime(), now.getTime());
        const created = new Date(
          event.createdAt.getTime() + Math.floor(random.next() * (latest - event.createdAt.getTime())),
        );
        const attended = status === 'accepted' && event.dateStart < now && random.next() < 0.8;
        return {
          id: uuidOf(`demo subscription ${eventIndex} ${index}`),
          event: event.id,
          user: person.id,
          status,
          answers:
            random.next() < 0.3
              ? { diet: random.pick(['none', 'vegetarian', 'vegan']), newsletter: random.next() < 0.5 }
              : null,
          checkedInAt: attended ? new Date(event.dateStart.getTime() - random.integer(0, 30) * minute) : null,
          createdAt: created,
          updatedAt: created,
        };
      });
  });
}

function demoStatus(random: SeededRandom, registration: EventRegistration, places: number): SubscriptionStatus {
  const chance = random.next();
  if (chance < 0.06) return 'cancelled';
  if (chance < 0.1) return 'declined';
  if (registration === 'approval' && chance < 0.35) return 'pending';
  return places > 0 ? 'accepted' : 'waitlisted';
}

function unique(taken: Set<string>, base: string): string {
  let slug = base;
  for (let number = 2; taken.has(slug); number += 1) slug = `${base}-${number}`;
  taken.add(slug);
  return slug;
}
