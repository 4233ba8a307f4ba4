import type { EntityManager } from '@mikro-orm/postgresql';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import type { SubscriptionRow } from '../../src/domain/subscription/subscription.resource.ts';
import { type Change, changesPage, readerFrom } from '../support/changes.ts';
import { guestAddress, guestOf } from '../support/guests.ts';
import { holding, untilLocked } from '../support/locks.ts';
import { send } from '../support/send.ts';
import { createTeam, join, type Person, serveTeam } from '../support/server.ts';
import { pathOf, subscribing } from '../support/subscribing.ts';

const { server, team } = await serveTeam();
const { organizationId, owner, manager } = team;
const { event, subscribe, move } = subscribing(server, team);

/** An event of one place, with a form, which was changed: its version is 3. */
async function changedEvent(): Promise<EventRow> {
  const made = await event({ capacity: 1 });
  await send(server, manager, `PATCH /events/${made.id}`, { name: 'Second' });
  const { body } = await send<EventRow>(server, manager, `PATCH /events/${made.id}`, { name: 'Third' });
  return body;
}

/** One who has the place of an event, and one who waits for it. */
async function filled(to: EventRow): Promise<{ holders: [Person, Person]; rows: [SubscriptionRow, SubscriptionRow] }> {
  const holders: [Person, Person] = [
    await join(server, organizationId, 'member'),
    await join(server, organizationId, 'member'),
  ];
  return {
    holders,
    rows: [(await subscribe(holders[0], to)).body, (await subscribe(holders[1], to)).body],
  };
}

/** What changes the number of accepted subscriptions of an event by one, or moves the one who waits up. */
const writes: Record<string, (to: EventRow) => Promise<() => Promise<{ status: number }>>> = {
  'POST /events/{event}/subscriptions': async (to) => () => subscribe(team.member, to),
  'PATCH /events/{event}/subscriptions/{subscription}': async (to) => {
    const { body } = await subscribe(team.member, to);
    return () => move(team.member, body, { status: 'cancelled' });
  },
  'POST /events/{event}/subscriptions/transition': async (to) => {
    const { body } = await subscribe(team.member, to);
    return () =>
      send(server, manager, `POST /events/${to.id}/subscriptions/transition`, { ids: [body.id], status: 'declined' });
  },
  'DELETE /members/{member}': async (to) => {
    const leaving = await join(server, organizationId, 'member');
    await subscribe(leaving, to);
    return () => send(server, owner, `DELETE /members/${leaving.membershipId}`);
  },
  'POST /public/subscriptions/confirm': async (to) => {
    const guest = guestOf(server, organizationId);
    const email = guestAddress();
    await send(server, manager, `PATCH /events/${to.id}`, { visibility: 'public' });
    await guest.request(to.id, { email });
    const token = await guest.mailed(email);
    return () => guest.confirm(token);
  },
  'POST /public/subscriptions/erase': async (to) => {
    const guest = guestOf(server, organizationId);
    const email = guestAddress();
    await send(server, manager, `PATCH /events/${to.id}`, { visibility: 'public' });
    const { token } = await guest.subscribe(to.id, { email });
    return () => send(server, {}, 'POST /public/subscriptions/erase', { token });
  },
};

const versions = (items: Change[], id: string) =>
  items.filter(({ kind, object_id }) => kind === 'event' && object_id === id).map(({ version }) => version);
const versionOf = async ({ id }: EventRow) => (await send<EventRow>(server, manager, `GET /events/${id}`)).body.version;

describe('the version of an event in the log, when its number of accepted subscriptions changes', () => {
  it('is the new one, once, when a change of the event moves the waiting list up', async () => {
    const to = await changedEvent();
    const { rows } = await filled(to);
    const reader = await readerFrom(server, manager);
    await send(server, manager, `PATCH /events/${to.id}`, { capacity: 2 });
    const items = await reader.rest();
    expect(items.map(({ kind, object_id, version, actor_id }) => [kind, object_id, version, actor_id])).toEqual([
      ['event', to.id, 4, manager.userId],
      ['subscription', rows[1].id, null, null],
    ]);
  });

  it('is told by a check-in of nobody: the number stays', async () => {
    const to = await changedEvent();
    const { rows } = await filled(to);
    const reader = await readerFrom(server, manager);
    await send(server, manager, `POST ${pathOf(rows[0])}/check-in`);
    expect((await reader.rest()).map(({ kind, object_id }) => [kind, object_id])).toEqual([
      ['subscription', rows[0].id],
    ]);
  });

  it.each(Object.entries(writes))('is what it became while %s waited for the event', async (_name, prepare) => {
    const to = await changedEvent();
    const write = await prepare(to);
    const reader = await readerFrom(server, manager);
    const em = await holding(server, 'update event set version = version + 5 where id = ?', [to.id]);
    const written = write();
    await untilLocked(server);
    await em.commit();
    expect((await written).status).toBeLessThan(300);
    expect(versions(await reader.rest(), to.id)).toEqual([await versionOf(to)]);
  });
});

afterEach(() => void vi.restoreAllMocks());

it('answers each of 200 waits in which nothing changes', async () => {
  const { body } = await changesPage(server, team.manager, 'since=now');
  const began = Date.now();
  const waits = Array.from({ length: 200 }, async () => {
    const { status, body: page } = await changesPage(server, team.manager, `token=${body.next}&wait=1`);
    return { status, length: page.items.length, after: Date.now() - began };
  });
  for (const wait of await Promise.all(waits)) {
    expect(wait).toMatchObject({ status: 200, length: 0 });
    expect(wait.after).toBeGreaterThanOrEqual(990);
  }
});

it('answers in time also while the database does not say who asks', async () => {
  const { member } = await createTeam(server);
  await holding(server, 'lock table session in access exclusive mode');
  const began = Date.now();
  const { status } = await changesPage(server, member, 'since=now&wait=1');
  expect(status).toBe(503);
  expect(Date.now() - began).toBeLessThan(2_000);
});

it('answers in time also while the log cannot be read', async () => {
  const { body } = await changesPage(server, team.manager, 'since=now');
  const { rows } = PostgresDatabase.prototype;
  const blocked = Promise.withResolvers<void>();
  let reads = 0;
  vi.spyOn(PostgresDatabase.prototype, 'rows').mockImplementation(async function (
    this: PostgresDatabase<EntityManager>,
    ...given
  ) {
    const isOfLog = given[0].sql.includes('pg_current_snapshot()') && given[0].sql.includes('log_restore');
    if (isOfLog) reads += 1;
    if (isOfLog && reads > 1) await blocked.promise;
    return await rows.apply(this, given);
  } as typeof rows);
  const began = Date.now();
  try {
    const { status, body: page } = await changesPage(server, team.manager, `token=${body.next}&wait=1`);
    expect([status, page.items, page.has_more]).toEqual([200, [], false]);
    expect(page.next).toEqual(expect.any(String));
    expect(reads).toBe(2);
    expect(Date.now() - began).toBeLessThan(2_000);
  } finally {
    blocked.resolve();
  }
});

/** Makes the log look as if more transactions were open than a cursor names, those that wrote the newest changes among them. */
function crowd() {
  const crowded = { reads: 0, ended: false };
  const { rows } = PostgresDatabase.prototype;
  vi.spyOn(PostgresDatabase.prototype, 'rows').mockImplementation(async function (
    this: PostgresDatabase<EntityManager>,
    ...given
  ) {
    const read = (await rows.apply(this, given)) as { head?: { snapshot: string } | null }[];
    const head = read[0]?.head;
    if (crowded.ended || !head) return read;
    crowded.reads += 1;
    const open = Array.from({ length: 201 }, (_, index) => index + 1);
    const snapshot = `1:${head.snapshot.split(':')[1]}:${open.join(',')}`;
    return [{ ...read[0], head: { ...head, snapshot } }, ...read.slice(1)];
  } as typeof rows);
  return crowded;
}

it('holds an empty page back also while the next change was written by one of very many open transactions', async () => {
  const { body } = await changesPage(server, team.manager, 'since=now');
  await event();
  const crowded = crowd();
  const held = await changesPage(server, team.manager, `token=${body.next}&wait=1`);
  expect(held.body).toMatchObject({ items: [], has_more: true, next: expect.any(String) });
  // it asks again, but not without a pause
  expect(crowded.reads).toBeGreaterThan(1);
  expect(crowded.reads).toBeLessThan(6);
});

it('answers a reader who waits as soon as those transactions have ended', async () => {
  const { body } = await changesPage(server, team.manager, 'since=now');
  const { id } = await event();
  const crowded = crowd();
  const answer = changesPage(server, team.manager, `token=${body.next}&wait=30`);
  await expect.poll(() => crowded.reads).toBeGreaterThan(1);
  crowded.ended = true;
  expect((await answer).body).toMatchObject({ items: [{ object_id: id }], has_more: false });
});
