import type { DemoEvent } from './events.ts';
import { type Journey, type JourneyStep, journey, type SubscriptionStatus } from './journey.ts';
import { SeededRandom } from './random.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The subscriptions, in all states. They were made one after the other, so that nobody waits while a place is free. */
export function demoSubscriptions(events: DemoEvent[], people: string[], manager: string, now: Date): Journey[] {
  const random = new SeededRandom(3);
  return events.flatMap((event, eventIndex) => {
    if (event.status === 0) return [];
    let places = event.capacity ?? Number.POSITIVE_INFINITY;
    const users = random.shuffle(people).slice(0, random.integer(0, 36));
    const times = timesOf(random, users.length, event, now);
    return users.map((user, index) => {
      const created = times[index] ?? now;
      const decided = new Date((created.getTime() + (times[index + 1] ?? now).getTime()) / 2);
      const steps = stepsOf(random, places > 0, event, { user, manager, created, decided });
      const accepted = steps.at(-1)?.to === 'accepted';
      if (accepted) places -= 1;
      const attended = accepted && Date.parse(event.date_start) < now.getTime() && random.next() < 0.8;
      return journey({
        ...{ key: `${eventIndex} ${index}`, event: event.id, user, steps },
        answers:
          random.next() < 0.3
            ? { diet: random.pick(['none', 'vegetarian', 'vegan']), newsletter: random.next() < 0.5 }
            : null,
        checkIn: attended
          ? { by: manager, at: new Date(Date.parse(event.date_start) - random.integer(0, 30) * minute) }
          : null,
      });
    });
  });
}

/** When people subscribed, in order, and at the end the last possible time: an hour before the start, or now. */
function timesOf(random: SeededRandom, count: number, event: DemoEvent, now: Date): Date[] {
  const from = Date.parse(event.created_at);
  const to = Math.min(Date.parse(event.date_start) - hour, now.getTime());
  const times = Array.from({ length: count }, () => from + Math.floor(random.next() * (to - from)));
  return [...times.sort((a, b) => a - b), to].map((time) => new Date(time));
}

interface Place {
  user: string;
  manager: string;
  created: Date;
  decided: Date;
}

/** The steps of one subscription. */
function stepsOf(
  random: SeededRandom,
  free: boolean,
  { registration }: Pick<DemoEvent, 'registration'>,
  { user, manager, created, decided }: Place,
): [JourneyStep, ...JourneyStep[]] {
  const chance = random.next();
  const place: SubscriptionStatus = free ? 'accepted' : 'waitlisted';
  const first: JourneyStep = { to: registration === 'approval' ? 'pending' : place, by: user, at: created };
  if (chance < 0.06) return [first, { to: 'cancelled', by: user, at: decided }];
  if (chance < 0.1) return [first, { to: 'declined', by: manager, at: decided }];
  if (registration !== 'approval' || chance < 0.35) return [first];
  return [first, { to: place, by: manager, at: decided }];
}
