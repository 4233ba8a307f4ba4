import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { camelCase } from '../../src/schema/relay/dialect.ts';
import { insertMember } from '../support/fixtures.ts';
import { countMails, settleMails } from '../support/guests.ts';
import { send } from '../support/send.ts';
import { createKey, serveTeam } from '../support/server.ts';
import { created, facesOf } from '../support/write-faces.ts';

// Many subscriptions in one write (reference/subscriptions.md#subscribing-many).

const { server, team } = await serveTeam();
const { organizationId, manager, owner } = team;
const { execute } = server;

const newMembers = (count: number) =>
  Promise.all(Array.from({ length: count }, () => insertMember(server.orm, { organizationId, password: null })));
const newcomers = async (count: number) => (await newMembers(count)).map(({ id }) => id);
/** Items that name these users alone. */
const itemsOf = (users: readonly string[]) => users.map((user_id) => ({ user_id }));

describe.each(facesOf(server))('by $name', (face) => {
  const create = async (fields: Record<string, unknown> = {}) =>
    (await created(face, manager, { name: 'Many', ...fields })).id;
  const own = (name: string) => (face.name === 'rest' ? name : camelCase(name));

  it('subscribes in the given order, as many as fit', async () => {
    const event = await create({ capacity: 2 });
    const users = await newcomers(4);
    const { value } = await face.bulk(manager, event, itemsOf(users));
    expect(value.items.map(({ user_id, status }) => [user_id, status])).toEqual([
      [users[0], 'accepted'],
      [users[1], 'accepted'],
      [users[2], 'waitlisted'],
      [users[3], 'waitlisted'],
    ]);
    expect(value.errors).toEqual([]);
    expect(await execute('select accepted_count from event where id = ?', [event])).toEqual([{ accepted_count: 2 }]);
    const waiting = `select user_id from subscription where event_id = ? and status = 'waitlisted' order by waiting_since, id`;
    expect(await execute(waiting, [event])).toEqual(itemsOf(users.slice(2)));
    await settleMails(server);
  });

  it('answers for each item what one request would answer', async () => {
    const event = await create({ capacity: 1, waiting_list: false });
    const questions = [{ key: 'email', type: 'email', label: 'Address' }];
    const setForm = await send(server, manager, `PUT /events/${event}/form`, { questions });
    expect(setForm.status).toBe(200);
    const [taken, first, full, answering, outdated, declined = ''] = await newcomers(6);
    await face.subscribe(manager, event, { user_id: taken, status: 'pending' });
    const before = await face.subscribe(manager, event, { user_id: declined, status: 'pending' });
    await face.move(manager, event, before.value.id, { status: 'declined' });
    const items = [
      { user_id: taken },
      { user_id: first, answers: { email: 'a@example.org' }, form_version: 1 },
      { user_id: full },
      { user_id: answering, answers: { email: 'nonsense' } },
      { user_id: outdated, form_version: 7 },
      { user_id: randomUUIDv7() },
      { user_id: randomUUIDv7(), answers: { email: 'nonsense' } },
      { user_id: declined, status: 'pending' },
    ];
    const { value, code } = await face.bulk(manager, event, items, { notify: false });
    expect(code).toBeNull();
    expect(value.items.map(({ user_id, status }) => [user_id, status])).toEqual([
      [first, 'accepted'],
      [declined, 'pending'],
    ]);
    const invalid = (index: number, ...names: string[]) => ({
      pointer: `/items/${index}`,
      code: 'VALIDATION_ERROR',
      errors: names.map((name) => ({ pointer: `/items/${index}/${name}`, code: 'VALIDATION_ERROR' })),
    });
    expect(value.errors).toMatchObject([
      { pointer: '/items/0', code: 'ALREADY_SUBSCRIBED' },
      { pointer: '/items/2', code: 'EVENT_FULL' },
      invalid(3, 'answers/email'),
      {
        pointer: '/items/4',
        code: 'CONFLICT',
        errors: [{ pointer: `/items/4/${own('form_version')}`, code: 'CONFLICT' }],
      },
      invalid(5, own('user_id')),
      invalid(6, own('user_id'), 'answers/email'),
    ]);
    for (const { pointer, code: refused } of value.errors) {
      const item = items[Number(pointer.split('/')[2])] as (typeof items)[number];
      expect((await face.subscribe(manager, event, item)).code).toBe(refused);
    }
  });

  it('is one entry of the audit trail, also if nothing was made', async () => {
    const event = await create();
    const [user = ''] = await newcomers(1);
    for (const _ of [1, 2]) {
      await face.bulk(manager, event, [{ user_id: user }, { user_id: randomUUIDv7() }], { notify: false });
    }
    const entries = await execute(
      `select action, actor_id, subject_id, detail from audit_entry where subject_id = ? and action = 'subscriptions.created' order by created_at`,
      [event],
    );
    const entry = { action: 'subscriptions.created', actor_id: manager.userId, subject_id: event };
    expect(entries).toEqual([
      { ...entry, detail: { created: 1, failed: 1 } },
      { ...entry, detail: { created: 0, failed: 2 } },
    ]);
  });

  it('mails each holder, unless told not to', async () => {
    const event = await create();
    const people = await newMembers(2);
    for (const [index, { id }] of people.entries())
      await face.bulk(manager, event, itemsOf([id]), index === 0 ? { notify: false } : {});
    await settleMails(server);
    expect(await Promise.all(people.map(({ email }) => countMails(server, email)))).toEqual([0, 1]);
  });

  it('is for keys of managers, who cannot subscribe themselves', async () => {
    const event = await create();
    const [user = ''] = await newcomers(1);
    const key = await createKey(server, owner);
    const { value } = await face.bulk(key, event, [{ user_id: key.id }, { user_id: user }]);
    expect(value).toMatchObject({ items: [{ user_id: user }], errors: [{ pointer: '/items/0', code: 'FORBIDDEN' }] });
    const low = await createKey(server, owner, { role: 'member' });
    expect((await face.bulk(low, event, [{ user_id: user }])).code).toBe('FORBIDDEN');
    await settleMails(server);
  });

  it('never exceeds the capacity, however many come at once', async () => {
    const event = await create({ capacity: 15 });
    const users = await newcomers(40);
    const parts = Array.from({ length: 4 }, (_, part) => users.slice(part * 10, part * 10 + 10));
    await Promise.all([
      ...parts.map((part) => face.bulk(manager, event, itemsOf(part), { notify: false })),
      ...users.slice(0, 10).map((user_id) => face.subscribe(manager, event, { user_id, notify: false })),
    ]);
    const counts = await execute(
      'select status, count(*)::int as count from subscription where event_id = ? group by status order by status',
      [event],
    );
    expect(counts).toEqual([
      { status: 'accepted', count: 15 },
      { status: 'waitlisted', count: 25 },
    ]);
  });
});
