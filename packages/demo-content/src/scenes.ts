import { type DemoEvent, demoZones } from './events.ts';
import { demoAnswers } from './forms.ts';
import { type Journey, type JourneyStep, journey } from './journey.ts';
import { uuidOf } from './random.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** UTC. */
const evening = 17 * hour;

/** An event that shows one kind of use. Hours count from the time at which the demo is created. */
interface Scene extends Pick<DemoEvent, 'name' | 'status' | 'registration' | 'capacity' | 'location' | 'description'> {
  starts: number;
  hours: number;
  /**
   * The states of its subscriptions, in order; `here` means accepted and checked in. The demo's member has the last
   * one.
   */
  guests: readonly ('accepted' | 'here' | 'waitlisted' | 'pending' | 'declined')[];
}

const times = <Item>(count: number, item: Item): Item[] => Array<Item>(count).fill(item);

const scenes: readonly Scene[] = [
  {
    name: 'Sourdough Workshop',
    description:
      'An evening in our kitchen: we knead, shape and bake, and you take a loaf home.\n\nFlour, aprons and tea are there. Bring a tea towel and a box for your bread.',
    ...{ status: 1, registration: 'open', capacity: 16, location: 'The Old Bakery, Harbour Street 9', starts: 12 * 24 },
    hours: 3,
    guests: times(9, 'accepted' as const),
  },
  {
    name: 'Harbour Lights Concert',
    description:
      'Brass and strings on the pier, after dark. Please cancel if you cannot come: people are waiting for a place.',
    ...{ status: 1, registration: 'open', capacity: 12, location: 'Pier 3', starts: 21 * 24, hours: 3 },
    guests: [...times(12, 'accepted' as const), ...times(5, 'waitlisted' as const)],
  },
  {
    name: 'Mentoring Circle',
    description: 'Ten people meet a mentor once a month. We read every request before we decide.',
    ...{ status: 1, registration: 'approval', capacity: 10, starts: 35 * 24, hours: 2 },
    location: 'Library, Second Floor',
    guests: [...times(3, 'accepted' as const), 'declined', ...times(5, 'pending' as const)],
  },
  {
    name: 'Volunteers’ Summer Picnic',
    description: null,
    ...{ status: 0, registration: 'open', capacity: null, location: null, starts: 60 * 24, hours: 5, guests: [] },
  },
  {
    name: 'Neighbourhood Breakfast',
    description: 'Bring something for the table. Tell us your name at the door.',
    ...{ status: 1, registration: 'open', capacity: 30, location: 'Main Hall, Harbour Street 4', starts: -1, hours: 9 },
    guests: [...times(8, 'here' as const), ...times(12, 'accepted' as const)],
  },
];

/**
 * One event for each kind of use: with questions, full with a waiting list, with approval, a draft, and one with
 * check-in in progress.
 */
export function demoScenes(
  people: readonly string[],
  manager: string,
  now: Date,
): { events: DemoEvent[]; journeys: Journey[] } {
  const events = scenes.map((scene) => sceneEvent(scene, now));
  const journeys = scenes.flatMap(({ guests }, scene) =>
    guests.map((guest, index) => {
      const event = events[scene] as DemoEvent;
      // the first person is the member with an account
      const user = people[guests.length - 1 - index] ?? manager;
      const status = guest === 'here' ? 'accepted' : guest;
      const at = new Date(Date.parse(event.created_at) + (index + 1) * 7 * hour);
      const first: JourneyStep = { to: event.registration === 'approval' ? 'pending' : status, by: user, at };
      const decision: JourneyStep = { to: status, by: manager, at: new Date(at.getTime() + hour) };
      return journey({
        ...{ key: `scene ${event.name} ${index}`, event: event.id, user, answers: demoAnswers(event.name, index) },
        steps: first.to === status ? [first] : [first, decision],
        checkIn: guest === 'here' ? { by: manager, at: new Date(now.getTime() - (20 - index) * minute) } : null,
      });
    }),
  );
  return { events, journeys };
}

function sceneEvent({ guests: _guests, starts, hours, ...fields }: Scene, now: Date): DemoEvent {
  const floor = (unit: number) => Math.floor(now.getTime() / unit) * unit;
  // an event on another day is in the evening, whenever the demo is created
  const start = starts < 24 ? floor(hour) + starts * hour : floor(day) + starts * hour + evening;
  const created_at = new Date(now.getTime() - 10 * day).toISOString();
  return {
    ...fields,
    id: uuidOf(`demo scene ${fields.name}`),
    date_start: new Date(start).toISOString(),
    date_end: new Date(start + hours * hour).toISOString(),
    timezone: demoZones.harbour,
    visibility: 'public',
    ...{ created_at, updated_at: created_at },
  };
}
