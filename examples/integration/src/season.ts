import type { Client } from 'events-gateway-client';

interface Course {
  name: string;
  date_start: string;
  date_end: string;
  /** The ids of 1 to 100 users. */
  people: string[];
}

/**
 * Creates an event for each course and subscribes its people, exactly once: each request has a key that is the same in the
 * next run. A run that was killed can be repeated for 24 hours.
 *
 * @param client one whose `deadline` is longer than a restart of the service, and than the minute of the write limit
 * @param season names this work: another one makes other events
 */
export async function createSeason(client: Client, season: string, courses: Course[]) {
  const once = (what: string) => ({ headers: { 'idempotency-key': `${season}-${what}` } });
  const events: string[] = [];
  let subscribed = 0;
  const queue = courses.entries();
  const work = async () => {
    for (const [number, { people, ...course }] of queue) {
      const { id } = await client.post('/events', { body: { ...course, status: 1 }, ...once(`event-${number}`) });
      const { items, errors } = await client.post('/events/{event}/subscriptions/bulk', {
        params: { path: { event: id } },
        body: { items: people.map((user_id) => ({ user_id })), notify: false },
        ...once(`people-${number}`),
      });
      events.push(id);
      subscribed += items.length;
      for (const { pointer, code } of errors) console.error(`${course.name} ${pointer}: ${code}`);
    }
  };
  // four requests at a time, from one queue
  await Promise.all([work(), work(), work(), work()]);
  return { events, subscribed };
}
