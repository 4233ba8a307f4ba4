import type { EntityManager } from '@mikro-orm/postgresql';
import { afterEach, expect, it, vi } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { changesPage } from '../support/changes.ts';
import { subscribing } from '../support/subscribing.ts';
import { createTeam, serveTeam } from '../support/team.ts';

const { server, team } = await serveTeam();
const { event } = subscribing(server, team);

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
  const em = server.orm.em.fork();
  await em.begin();
  try {
    await em.execute('lock table session in access exclusive mode');
    const began = Date.now();
    const { status } = await changesPage(server, member, 'since=now&wait=1');
    expect(status).toBe(503);
    expect(Date.now() - began).toBeLessThan(2_000);
  } finally {
    await em.rollback();
  }
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
