import { expect } from 'vitest';
import type { Orm } from '../../src/db/orm.ts';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import type { SubscriptionRow } from '../../src/domain/subscription/subscription.resource.ts';
import { insertEvent } from './fixtures.ts';
import { inDays, optionsOf } from './public-world.ts';
import { send } from './send.ts';
import type { Person, Team, TestServer } from './server.ts';

/** A moment so many days from now, as clients write it. */
export const isoInDays = (days: number) => inDays(days).toISOString();

/** The path of a subscription. */
export const pathOf = (row: SubscriptionRow) => `/events/${row.event_id}/subscriptions/${row.id}`;

/** Events of a team and their subscriptions, written by REST. */
export function subscribing(server: TestServer, team: Team) {
  async function event(fields: Record<string, unknown> = {}): Promise<EventRow> {
    const made = await send<EventRow>(server, team.manager, 'POST /events', {
      name: 'Open Day',
      status: 1,
      date_start: isoInDays(10),
      date_end: isoInDays(11),
      ...fields,
    });
    expect(made.status, made.text).toBe(201);
    return made.body;
  }

  const subscribe = (person: Person, to: { id: string }, body?: unknown) =>
    send<SubscriptionRow>(server, person, `POST /events/${to.id}/subscriptions`, body);

  const move = (person: Person, row: SubscriptionRow, body: unknown) =>
    send<SubscriptionRow>(server, person, `PATCH ${pathOf(row)}`, body);

  /** Makes the form of an event one question with this key. */
  const ask = (to: { id: string }, key = 'a') =>
    send(server, team.manager, `PUT /events/${to.id}/form`, { questions: [{ key, type: 'text', label: 'A' }] });

  const read = async (row: SubscriptionRow) =>
    (await send<SubscriptionRow>(server, team.manager, `GET ${pathOf(row)}`)).body;

  async function history(row: SubscriptionRow): Promise<unknown[]> {
    const { body } = await send<{ items: Record<string, unknown>[] }>(
      server,
      team.manager,
      `GET ${pathOf(row)}/changes`,
    );
    return body.items.map(({ kind, status_from, status_to, actor_id }) => [kind, status_from, status_to, actor_id]);
  }
  return { event, subscribe, move, ask, read, history };
}

/** Subscribes so many new people to an event, all at once; the ids of their subscriptions. */
export async function insertSubscribers(orm: Orm, eventId: string, count: number, status = 'accepted') {
  return await orm.em.fork().transactional(async (em) => {
    // thousands of rows may take longer than a statement of the service may, on a busy machine
    await em.execute('set local statement_timeout = 0');
    const rows = await em.execute<{ id: string }[]>(
      `with people as (
        insert into "user" (id, email, mailbox, name, verified_at)
        select gen_random_uuid(), address, address, 'N', now()
        from (select 'many-' || gen_random_uuid() || '@example.org' as address from generate_series(1, ?)) made returning id
      )
      insert into subscription (id, event_id, user_id, status, created_at)
      select gen_random_uuid(), ?, id, ?, now() - random() * interval '9 days' from people returning id`,
      [count, eventId, status],
    );
    return rows.map(({ id }) => id);
  });
}

export const meal = {
  ...{ key: 'meal', type: 'choice', label: 'Which meal?' },
  options: optionsOf({ meat: 'With meat', none: 'None' }),
};
export const badge = { key: 'badge', type: 'text', label: 'Name on the badge', required: true };

interface Form {
  version: number;
  questions: unknown[];
}

/** What the team of a server does with forms and answers, by REST. */
export function formsOf(server: TestServer, team: Team) {
  const { subscribe, move: patch } = subscribing(server, team);
  const event = (fields: Partial<Parameters<typeof insertEvent>[1]> = {}) =>
    insertEvent(server.orm, { organizationId: team.organizationId, dateStart: inDays(10), ...fields });
  const put = (person: Person, { id }: { id: string }, questions: unknown, headers = {}) =>
    send<Form>(server, person, `PUT /events/${id}/form`, { questions }, headers);
  const get = (person: Person, { id }: { id: string }, query = '') =>
    send<Form>(server, person, `GET /events/${id}/form${query}`);

  /** An event with a form. */
  async function asking(...questions: unknown[]) {
    const to = await event();
    const set = await put(team.manager, to, questions);
    expect(set.status, set.text).toBe(200);
    return to;
  }
  return { event, put, get, subscribe, patch, asking };
}
