import { randomUUIDv7 } from 'node:crypto';
import type { PublicEventRow } from '../../src/domain/public/public-event.resource.ts';
import { type EventInput, insertEvent, insertSubscription, insertUser } from './fixtures.ts';
import { send } from './send.ts';
import { createTeam, type TestServer } from './server.ts';

export const day = 86_400_000;

/** A moment so many days from now, to the second. */
export const inDays = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * day);

/** Lets an event be over, since yesterday. */
export const runOut = ({ execute }: Pick<TestServer, 'execute'>, eventId: string) =>
  execute(`update event set date_start = now() - interval '2 days', date_end = now() - interval '1 day' where id = ?`, [
    eventId,
  ]);

export interface PublicEventInput extends Partial<EventInput> {
  organizationId: string;
  waitingList?: boolean;
  /** How many subscriptions there are of each status. */
  accepted?: number;
  waiting?: number;
}

/** An event that everybody sees, ten days from now unless it says otherwise. */
export async function insertPublicEvent(
  { orm }: Pick<TestServer, 'orm'>,
  { waitingList = true, accepted = 0, waiting = 0, ...input }: PublicEventInput,
): Promise<{ id: string; slug: string }> {
  const slug = input.slug ?? `event-${randomUUIDv7()}`;
  const event = { visibility: 'public', dateStart: inDays(10), ...input, slug } as const;
  const { id } = await insertEvent(orm, event);
  await orm.em.fork().execute('update event set waiting_list = ? where id = ?', [waitingList, id]);
  const statuses = [
    ...Array<'accepted'>(accepted).fill('accepted'),
    ...Array<'waitlisted'>(waiting).fill('waitlisted'),
  ];
  for (const status of statuses) {
    const user = await insertUser(orm, { password: null });
    await insertSubscription(orm, { eventId: id, userId: user.id, status });
  }
  await orm.em
    .fork()
    .execute(`update subscription set waiting_since = created_at where event_id = ? and status = 'waitlisted'`, [id]);
  return { id, slug };
}

/** An organization of its own, so that its lists hold nothing but what a test puts there. */
export async function publicPlace(server: TestServer) {
  const team = await createTeam(server);
  const { organizationId } = team;
  const anybody = { organizationId };
  const event = (input: Omit<PublicEventInput, 'organizationId'> = {}) =>
    insertPublicEvent(server, { ...input, organizationId });
  const get = <Body = PublicEventRow>(path: string, headers = {}) =>
    send<Body>(server, anybody, `GET /public/events${path}`, undefined, headers);
  return { team, organizationId, anybody, event, get };
}

/** Events of which each meets a new subscription in another way, and what that is. */
export const doors: [string, Omit<PublicEventInput, 'organizationId'>, string][] = [
  ['unlimited', {}, 'open'],
  ['with a free place', { capacity: 2, accepted: 1 }, 'open'],
  ['that asks for approval', { registration: 'approval' }, 'approval'],
  ['that asks for approval, and is full', { registration: 'approval', capacity: 1, accepted: 1 }, 'approval'],
  ['full, with a waiting list', { capacity: 1, accepted: 1 }, 'waiting_list'],
  ['full, without one', { capacity: 1, accepted: 1, waitingList: false }, 'full'],
  ['with a free place beside somebody who waits', { capacity: 2, accepted: 1, waiting: 1 }, 'waiting_list'],
  [
    'with a free place beside somebody who waits, without a list',
    { capacity: 2, accepted: 1, waiting: 1, waitingList: false },
    'full',
  ],
  ['without places', { capacity: 0 }, 'waiting_list'],
  ['closed', { registration: 'closed' }, 'closed'],
  ['that is over', { dateStart: inDays(-2), dateEnd: inDays(-1) }, 'closed'],
  ['that has begun', { dateStart: inDays(-1), dateEnd: inDays(1) }, 'open'],
  ['that is cancelled', { status: 2 }, 'closed'],
];

/** The options of a question, by their values. */
export const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
