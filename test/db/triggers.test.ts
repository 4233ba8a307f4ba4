import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectTo, createTestDatabase } from '../support/database.ts';
import { insertMembership } from '../support/fixtures.ts';
import { shared } from '../support/shared.ts';

const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
const organization = randomUUID();
const [first, second] = ids(2) as [string, string];
const users = ids(150);

const database = await shared(createTestDatabase());
const run = database.execute;
await run('insert into organization (id, name, slug) values (?, ?, ?)', [organization, 'O', 'o']);
const rows = users.map((id) => `('${id}', '${id}@example.org', 'U')`);
await run(`insert into "user" (id, email, name) values ${rows.join(', ')}`);

describe('accepted_count', () => {
  beforeEach(async () => {
    await run('delete from event');
    for (const id of [first, second]) {
      await run(
        `insert into event (id, organization_id, name, slug, date_start, date_end, updated_at)
          values (?, ?, 'E', ?, now(), now(), '2020-01-01Z')`,
        [id, organization, id],
      );
    }
  });

  const counts = async () => {
    const rows = await run<{ id: string; accepted_count: number }>('select id, accepted_count from event');
    return [first, second].map((id) => rows.find((row) => row.id === id)?.accepted_count);
  };
  const subscribe = (event: string, status: string, count: number) => {
    const rows = users.slice(0, count).map((user) => `('${randomUUID()}', '${event}', '${user}', '${status}')`);
    return run(`insert into subscription (id, event_id, user_id, status) values ${rows.join(', ')}`);
  };

  test('counts accepted subscriptions as they are inserted, one or many', async () => {
    await subscribe(first, 'accepted', 1);
    await subscribe(first, 'accepted', 40);
    await subscribe(first, 'pending', 7);
    await subscribe(second, 'waitlisted', 3);
    expect(await counts()).toEqual([41, 0]);
  });

  test('follows a change of state, in both directions', async () => {
    await subscribe(first, 'pending', 10);
    await run(`update subscription set status = 'accepted'`);
    expect(await counts()).toEqual([10, 0]);
    await run(`update subscription set status = 'cancelled' where user_id = any('{${users.slice(0, 4).join(',')}}')`);
    expect(await counts()).toEqual([6, 0]);
  });

  test('follows subscriptions that move to another event', async () => {
    await subscribe(first, 'accepted', 5);
    await run('update subscription set event_id = ? where user_id in (?, ?)', [second, users[0], users[1]]);
    expect(await counts()).toEqual([3, 2]);
  });

  test('follows deletion, by itself, with the user, and of the whole table', async () => {
    await subscribe(first, 'accepted', 5);
    await run('delete from subscription where user_id = ?', [users[0]]);
    expect(await counts()).toEqual([4, 0]);
    const guest = randomUUID();
    await run(`insert into "user" (id, email, name) values (?, ?, 'G')`, [guest, guest]);
    const subscription = `insert into subscription (id, event_id, user_id, status) values (gen_random_uuid(), ?, ?, 'accepted')`;
    await run(subscription, [first, guest]);
    expect(await counts()).toEqual([5, 0]);
    await run('delete from "user" where id = ?', [guest]);
    expect(await counts()).toEqual([4, 0]);
    await run('truncate subscription cascade');
    expect(await counts()).toEqual([0, 0]);
  });

  test('leaves the event as it was updated last', async () => {
    await subscribe(first, 'accepted', 5);
    expect(await run('select distinct updated_at from event')).toEqual([{ updated_at: '2020-01-01 00:00:00+00' }]);
  });

  test('is right after parallel changes to several events at once, in opposite orders', async () => {
    const both = (order: string[], user: number) =>
      run(
        `insert into subscription (id, event_id, user_id, status)
          values (?, ?, ?, 'accepted'), (?, ?, ?, 'accepted')`,
        order.flatMap((event) => [randomUUID(), event, users[user]]),
      );
    await Promise.all(users.slice(0, 60).map((_, index) => both(index % 2 ? [first, second] : [second, first], index)));
    await Promise.all(
      users.slice(0, 30).map((user) => run(`update subscription set status = 'declined' where user_id = ?`, [user])),
    );
    expect(await counts()).toEqual([30, 30]);
  });
});

// whoever writes it (note 0060)
describe('the organization of a subscription', () => {
  const other = randomUUID();
  const [ofFirst, ofOther] = ids(2) as [string, string];
  beforeAll(async () => {
    await run('insert into organization (id, name, slug) values (?, ?, ?)', [other, 'Other', 'other']);
    await run(
      `insert into event (id, organization_id, name, slug, date_start, date_end)
        values (?, ?, 'E', 'e', now(), now()), (?, ?, 'E', 'e', now(), now())`,
      [ofFirst, organization, ofOther, other],
    );
  });

  const subscribe = async (event: string, named?: string) => {
    const id = randomUUID();
    const column = named === undefined ? ['', ''] : [', organization_id', `, '${named}'`];
    await run(`insert into subscription (id, event_id, user_id, status${column[0]})
      values ('${id}', '${event}', '${users[0]}', 'accepted'${column[1]})`);
    return id;
  };
  const organizationOf = async (id: string) =>
    (await run<{ id: string }>('select organization_id as id from subscription where id = ?', [id]))[0]?.id;

  test('is that of its event, and follows it', async () => {
    const id = await subscribe(ofFirst);
    expect(await organizationOf(id)).toBe(organization);
    expect(await organizationOf(await subscribe(ofOther, other))).toBe(other);
    await run('update subscription set event_id = ? where id = ?', [ofOther, id]);
    expect(await organizationOf(id)).toBe(other);
  });

  test('moves along with the event', async () => {
    const id = await subscribe(ofFirst);
    await run(`update event set organization_id = ?, slug = 'moved' where id = ?`, [other, ofFirst]);
    expect(await organizationOf(id)).toBe(other);
    expect(await run('select accepted_count from event where id = ?', [ofFirst])).toEqual([{ accepted_count: 1 }]);
  });

  test('of an event that does not exist is none: the foreign key refuses it', async () => {
    const refused = { code: '23503', constraint: 'subscription_event_id_foreign' };
    for (const named of [undefined, organization]) {
      await expect(subscribe(randomUUID(), named)).rejects.toMatchObject(refused);
    }
  });
});

const client = await shared(connectTo(database.url));

describe('the channel access_changed', () => {
  let heard: unknown[] = [];

  beforeAll(async () => {
    client.on('notification', ({ payload }) => heard.push(JSON.parse(payload ?? '')));
    await client.query('listen access_changed');
    await run(
      `insert into membership (id, organization_id, user_id, role)
        select gen_random_uuid(), ?, id, 'member' from "user" limit 120`,
      [organization],
    );
    await run(
      `insert into session (id, user_id, expires_at) select gen_random_uuid(), id, now() + interval '1 day' from "user" limit 120`,
    );
  });
  beforeEach(async () => {
    await settle();
    heard = [];
  });

  /** A notification of an earlier statement arrives at the latest with the answer to a later one. */
  const settle = async () => {
    await client.query('select 1');
    await sleep(5);
  };

  test('tells whose membership changed', async () => {
    const [member] = await run<{ user_id: string }>('select user_id from membership limit 1');
    await run(`update membership set role = 'manager' where user_id = ?`, [member?.user_id]);
    await settle();
    expect(heard).toEqual([{ user: member?.user_id, organization }]);
  });

  test('says nothing of an update that changes no membership', async () => {
    await run('update membership set role = role');
    await settle();
    expect(heard).toEqual([]);
  });

  test('tells that a membership was given and taken', async () => {
    const other = 'select id from "user" where id not in (select user_id from membership) limit 1';
    const [{ id: user } = { id: '' }] = await run<{ id: string }>(other);
    await insertMembership(database.orm, { organizationId: organization, userId: user });
    await run('delete from membership where user_id = ?', [user]);
    await settle();
    expect(heard).toEqual(Array(2).fill({ user, organization }));
  });

  test('says all at once after a bulk change', async () => {
    await run(`update membership set role = 'owner'`);
    await settle();
    expect(heard).toEqual([{ all: true }]);
  });

  test('tells which session ended, and not which one was used', async () => {
    const [session] = await run<{ id: string }>('select id from session limit 1');
    await run('update session set counter = counter + 1 where id = ?', [session?.id]);
    await settle();
    expect(heard).toEqual([]);
    await run('update session set ended_at = now() where id = ?', [session?.id]);
    await run('update session set ended_at = now() where id = ?', [session?.id]);
    await settle();
    expect(heard).toEqual([{ session: session?.id }]);
  });

  test('tells which session was deleted with its user', async () => {
    const [session] = await run<{ id: string; user_id: string }>(
      'select id, user_id from session where ended_at is null limit 1',
    );
    await run('delete from "user" where id = ?', [session?.user_id]);
    await settle();
    expect(heard).toContainEqual({ session: session?.id });
  });
});
