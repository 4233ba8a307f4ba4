import { type EventStatus, eventRegistrations } from '../../domain/event/event.entity.ts';
import { slugOf } from '../../kernel/slug.ts';
import { SeededRandom, uuidOf } from '../random.ts';
import { firstNames, kinds, lastNames, places, sentences, subjects } from './words.ts';

const eventCount = 204;
const memberCount = 90;
const hour = 3_600_000;
const day = 24 * hour;

type Phase = 'past' | 'running' | 'future';

export interface DemoPerson {
  id: string;
  name: string;
  email: string;
}

/** The members besides those who can sign in. */
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

export type DemoEvent = ReturnType<typeof demoEvents>[number];

/** The events: every combination of phase, status, visibility and registration once, then mostly active ones. */
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
      date_start: start.toISOString(),
      date_end: end.toISOString(),
      timezone: random.pick(['Europe/Berlin', 'Europe/Berlin', 'Europe/Lisbon', 'UTC']),
      location: random.next() < 0.9 ? random.pick(places) : null,
      capacity: random.next() < 0.3 ? null : random.pick([8, 12, 20, 30, 60]),
      visibility,
      registration,
      created_at: created.toISOString(),
      updated_at: new Date(created.getTime() + random.integer(0, 4) * day).toISOString(),
    };
  });
}

function demoDates(random: SeededRandom, phase: Phase, now: Date): { start: Date; end: Date } {
  const hourStart = Math.floor(now.getTime() / hour) * hour;
  const length = random.pick([1, 2, 2, 3, 4, 8, 26, 50]) * hour;
  if (phase === 'running') {
    // lasts for days, so that it is still running tomorrow
    const start = hourStart - random.integer(1, 30) * hour;
    return { start: new Date(start), end: new Date(hourStart + random.integer(2, 14) * day) };
  }
  const distance = random.integer(1, 240) * day + random.integer(0, 10) * hour;
  const start = phase === 'past' ? hourStart - distance - length : hourStart + distance;
  return { start: new Date(start), end: new Date(start + length) };
}

function unique(taken: Set<string>, base: string): string {
  let slug = base;
  for (let number = 2; taken.has(slug); number += 1) slug = `${base}-${number}`;
  taken.add(slug);
  return slug;
}
