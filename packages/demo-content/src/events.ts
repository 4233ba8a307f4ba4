import { courses, evenings, exhibitions, gallery, places, sentences } from './programme.ts';
import { SeededRandom, uuidOf } from './random.ts';

const eventCount = 204;
/** Combinations of phase (3), status (4), visibility (2) and registration (3). */
const kindCount = 72;
const hour = 3_600_000;
const day = 24 * hour;

const registrations = ['open', 'approval', 'closed'] as const;

interface State {
  /** 0 draft, 1 active, 2 cancelled, 3 archived. */
  status: 0 | 1 | 2 | 3;
  visibility: 'public' | 'organization';
  registration: (typeof registrations)[number];
}

/** An event without its place among the others. Times are in ISO 8601. */
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

/** An event of the demo; it has the organization's time zone. */
export interface DemoEvent extends Offer {
  id: string;
  timezone: string;
}

/** Each organization is in one place, and so in one time zone. */
export const demoZones = { harbour: 'Europe/Berlin', books: 'Europe/Dublin' } as const;

/** An evening a month, of the second organization. */
export function demoBookEvents(now: Date): DemoEvent[] {
  return ['Short Stories', 'Letters from the Sea', 'A Novel in Verse'].map((book, index) => {
    const start = new Date(now.getTime() + (index + 1) * 28 * day);
    start.setUTCHours(18, 0, 0, 0);
    const name = `Reading Evening: ${book}`;
    return {
      id: uuidOf(`demo book event ${index}`),
      ...{ name, description: null, status: 1 },
      ...{ ...dates(start, 2), timezone: demoZones.books, location: 'The reading room', capacity: 12 },
      ...{ visibility: 'organization', registration: 'open' },
      ...{ created_at: now.toISOString(), updated_at: now.toISOString() },
    };
  });
}

/** The events: every combination of phase, status, visibility and registration once, then courses and mostly active evenings. */
export function demoEvents(now: Date): DemoEvent[] {
  return new Programme(now).offers().map((offer, index) => ({
    ...offer,
    id: uuidOf(`demo event ${index}`),
    timezone: demoZones.harbour,
  }));
}

class Programme {
  readonly #random = new SeededRandom(2);
  readonly #now: Date;

  constructor(now: Date) {
    this.#now = now;
  }

  offers(): Offer[] {
    const everyKind = Array.from({ length: kindCount }, (_, index) => {
      const state: State = {
        status: (Math.floor(index / 3) % 4) as State['status'],
        visibility: index >= kindCount / 2 ? 'public' : 'organization',
        registration: registrations[Math.floor(index / 12) % 3] ?? 'open',
      };
      const phase = (['past', 'running', 'future'] as const)[index % 3] ?? 'future';
      return phase === 'running' ? this.#exhibition(index, state) : this.#evening(this.#distance(phase), state);
    });
    const ofCourses = courses.flatMap((_, index) => this.#course(index));
    const others = Array.from({ length: eventCount - kindCount - ofCourses.length }, () =>
      this.#evening(this.#distance(this.#random.pick(['past', 'future', 'future'])), this.#anyState()),
    );
    return [...everyKind, ...ofCourses, ...others];
  }

  #anyState(): State {
    return {
      status: this.#random.pick<State['status']>([1, 1, 1, 1, 1, 1, 0, 2, 3]),
      visibility: this.#random.next() < 0.6 ? 'public' : 'organization',
      registration: this.#random.pick(registrations),
    };
  }

  /** In how many days an event is; negative if it is over. */
  #distance(phase: 'past' | 'future'): number {
    return (phase === 'past' ? -1 : 1) * this.#random.integer(1, 240);
  }

  /** An evening of two or three hours, as people who work come to them. */
  #evening(days: number, state: State): Offer {
    const [subject, about, kinds] = this.#random.pick(evenings);
    const start = this.#localTime(days, this.#random.pick([18, 18, 19, 19, 20]));
    const name = `${subject} ${this.#random.pick(kinds)}`;
    return this.#offer(state, name, about, start, this.#random.pick([2, 3]));
  }

  /** The evenings of a course, a week apart, in one place at one hour. */
  #course(index: number): Offer[] {
    const [name, about, location, weeks] = courses[index] as (typeof courses)[number];
    const first = (index % 4) * 21 - 40 + index;
    const state: State = {
      status: 1,
      visibility: index === 3 ? 'organization' : 'public',
      registration: index === 1 ? 'approval' : 'open',
    };
    const shared = this.#offer(state, name, `${about}: ${weeks} evenings`, this.#localTime(first, 18), 2);
    return Array.from({ length: weeks }, (_, week) => {
      const evening = dates(this.#localTime(first + 7 * week, 18), 2);
      return { ...shared, ...evening, name: `${name}, Evening ${week + 1} of ${weeks}`, capacity: 12, location };
    });
  }

  /** What is open for some days, from ten to six, so that something is running whenever the demo is looked at. */
  #exhibition(index: number, state: State): Offer {
    const turn = (Math.floor(index / 3) + Math.floor(index / 12)) % exhibitions.length;
    const [name, about] = exhibitions[turn] as (typeof exhibitions)[number];
    const start = this.#localTime(-this.#random.integer(2, 12), 10);
    const end = this.#localTime(this.#random.integer(3, 14), 18);
    return { ...this.#offer(state, name, about, start, (end.getTime() - start.getTime()) / hour), location: gallery };
  }

  #offer(state: State, name: string, about: string, start: Date, hours: number): Offer {
    const random = this.#random;
    const created = new Date(Math.min(start.getTime(), this.#now.getTime()) - random.integer(5, 60) * day);
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

  /** An hour by the clock of the harbour, so many days from now. */
  #localTime(days: number, clock: number): Date {
    const noon = new Date((Math.floor(this.#now.getTime() / day) + days) * day + 12 * hour);
    const shown = noon.toLocaleString('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: demoZones.harbour });
    return new Date(noon.getTime() + (clock - Number(shown)) * hour);
  }
}

function dates(start: Date, hours: number) {
  return { date_start: start.toISOString(), date_end: new Date(start.getTime() + hours * hour).toISOString() };
}
