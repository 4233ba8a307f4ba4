import { setTimeout as sleep } from 'node:timers/promises';
import type { Orm } from '../../src/db/orm.ts';

/** What an event has at one moment, as one statement sees it. */
export interface Places {
  capacity: number | null;
  accepted_count: number;
  accepted: number;
  waiting: string[];
  /** Users with more than one live subscription. */
  doubled: number;
  isOpen: boolean;
}

/** Reads the places of an event; `waiting` are the users on the list, in their order. */
export async function readPlaces(orm: Orm, eventId: string): Promise<Places> {
  const [row] = await orm.em.fork().execute<Places[]>(
    `select e.capacity, e.accepted_count, e.status = 1 and e.date_end >= now() as "isOpen",
        (select count(*)::int from subscription s where s.event_id = e.id and s.status = 'accepted') as accepted,
        array(select s.user_id from subscription s where s.event_id = e.id and s.status = 'waitlisted'
          order by s.waiting_since, s.id) as waiting,
        (select count(*)::int from (select from subscription s where s.event_id = e.id
          and s.status in ('pending', 'accepted', 'waitlisted') group by s.user_id having count(*) > 1) d) as doubled
      from event e where e.id = ?`,
    [eventId],
  );
  return row as Places;
}

/** What must hold at every moment (reference/subscriptions.md#places), in words where it does not. */
export function placeFaults({ capacity, accepted_count, accepted, waiting, doubled, isOpen }: Places): string[] {
  const free = (capacity ?? Number.POSITIVE_INFINITY) - accepted;
  return [
    ...(accepted === accepted_count ? [] : [`${accepted} are accepted, and ${accepted_count} are counted`]),
    ...(free < 0 ? [`${accepted} are accepted, for ${capacity} places`] : []),
    ...(isOpen && free > 0 && waiting.length > 0 ? [`${waiting.length} wait beside ${free} free places`] : []),
    ...(doubled === 0 ? [] : [`${doubled} people have two live subscriptions`]),
  ];
}

/** Looks at the places of an event again and again while `work` runs; what was wrong at any moment, and each look. */
export async function watchPlaces(orm: Orm, eventId: string, work: () => Promise<unknown>) {
  const looks: Places[] = [];
  let done = false;
  const watching = (async () => {
    while (!done) {
      looks.push(await readPlaces(orm, eventId));
      await sleep(5);
    }
  })();
  try {
    await work();
  } finally {
    done = true;
    await watching;
  }
  looks.push(await readPlaces(orm, eventId));
  return { faults: [...new Set(looks.flatMap(placeFaults))], looks };
}
