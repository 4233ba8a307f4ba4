import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import type { Database } from '../../src/engine/database.ts';
import { ChangeWatch } from '../../src/jobs/change-watch.ts';
import { startChildService } from '../support/child-service.ts';
import { openOrm } from '../support/database.ts';
import { insertMember, insertOrganization } from '../support/fixtures.ts';
import { startPgbouncer } from '../support/installed-programs.ts';
import { silentLog } from '../support/log.ts';
import { logChange } from '../support/log-change.ts';
import { lacks } from '../support/programs.ts';
import { startReplication } from '../support/replication.ts';
import { type Caller, query, send } from '../support/send.ts';
import { signIn } from '../support/server.ts';
import { inTest, shared, sharedFolder } from '../support/shared.ts';

const maxLag = 6;

const replication = await shared(startReplication());
const { orm } = await shared(openOrm({ url: replication.url }));
const env = {
  ...{ DATABASE_URL: replication.url, DATABASE_REPLICA_URLS: replication.replicaUrl, RATE_LIMIT: 'off' },
  ...{ REPLICA_MAX_LAG_SECONDS: String(maxLag), DATA_DIR: await sharedFolder() },
};
// one after the other: the first makes the secrets
const services = [await shared(startChildService(env)), await shared(startChildService(env))] as const;
const { id: organizationId } = await insertOrganization(orm);
async function enter(role: 'manager' | 'owner'): Promise<Caller & { email: string }> {
  const { email } = await insertMember(orm, { organizationId, role });
  return { email, accessToken: (await signIn(services[0].url, email)).accessToken, organizationId };
}
const writer = await enter('manager');
const others = [await enter('manager'), await enter('owner')] as const;
await replication.caughtUp();

async function create(name: string, caller: Caller, service: { url: string } = services[0]): Promise<void> {
  const event = { name, date_start: '2031-05-05T17:00:00Z', date_end: '2031-05-05T19:00:00Z' };
  const answer = await send(service, caller, 'POST /events', event);
  expect(answer.status, answer.text).toBe(201);
}

/** The events that somebody sees on the other process: their names by GraphQL and by REST, and their number by both. */
async function seenBy(caller: Caller): Promise<{ names: [string[], string[]]; counts: [number, number] }> {
  const { events } = await query<{ events: { nodes: { name: string }[]; totalCount: number } }>(
    services[1],
    caller,
    '{ events(first: 100) { totalCount nodes { name } } }',
  );
  const rest = await send<{ items: { name: string }[] }>(services[1], caller, 'GET /events?limit=100');
  const count = await send<number>(services[1], caller, 'GET /events/count');
  const sorted = (rows: { name: string }[]) => rows.map(({ name }) => name).sort();
  return { names: [sorted(events.nodes), sorted(rest.body.items)], counts: [events.totalCount, count.body] };
}

/** The names of the events that somebody sees on the other process, on which both faces must agree. */
async function names(caller: Caller): Promise<string[]> {
  const seen = await seenBy(caller);
  const [found] = seen.names;
  expect(seen).toEqual({ names: [found, found], counts: [found.length, found.length] });
  return found;
}

async function replicasInUse(): Promise<(string | null)[]> {
  return await Promise.all(services.map(async ({ url }) => (await fetch(`${url}/readyz`)).headers.get('x-replicas')));
}

const allInUse = () => expect.poll(replicasInUse).toEqual(['1/1', '1/1']);
const noneInUse = () => expect.poll(replicasInUse).toEqual(['0/1', '0/1']);
const resume = async () => {
  await replication.onStandby('select pg_wal_replay_resume()');
  await replication.caughtUp();
};

let held = 0;

/**
 * Stops the replay while the replica answers the readers, then lets the author create an event, which the replica lacks.
 * Tried again until a process knows that the replica has what the readers wrote themselves. Returns the name.
 */
async function holdBack(
  author: Caller,
  readers: readonly Caller[],
  service: { url: string } = services[0],
): Promise<string> {
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await allInUse();
    await replication.onStandby('select pg_wal_replay_pause()');
    held += 1;
    const name = `Held back ${held}`;
    await create(name, author, service);
    // the process may learn it between two of the answers
    const seen = await Promise.all(readers.map(seenBy));
    if (seen.every(({ names, counts }) => !names.flat().includes(name) && counts[0] === counts[1])) return name;
    await resume();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  throw new Error('the replica answered nobody');
}

it('users read their own writes in another process and the other face, and others still read from the replica', async () => {
  await create('First', writer);
  expect(await names(writer)).toEqual(['First']);
  await replication.caughtUp();
  const name = await holdBack(writer, others);
  // at once, and as long as the replica lacks it
  for (let time = 0; time < 3; time += 1) {
    expect(await names(writer)).toContain(name);
    for (const other of others) {
      expect(await names(other)).toContain('First');
      expect(await names(other)).not.toContain(name);
    }
  }
  await resume();
  for (const other of others) expect(await names(other)).toContain(name);
});

it('whoever signs in finds what was there before', async () => {
  const name = await holdBack(writer, others);
  const { accessToken } = await signIn(services[0].url, others[0].email);
  expect(await names({ ...others[0], accessToken })).toContain(name);
  expect(await names(others[1])).not.toContain(name);
  await resume();
});

it.skipIf(lacks('pgbouncer'))('so they do if a pooler shares the sessions of the primary', async () => {
  const pooler = await inTest(startPgbouncer(replication.url));
  const direct = { DATABASE_POOLER: 'transaction-unnamed', DATABASE_DIRECT_URL: replication.url };
  const url = pooler.urlOf(replication.url);
  const service = await inTest(startChildService({ ...env, ...direct, DATABASE_URL: url }));
  onTestFinished(resume);
  const name = await holdBack(others[1], [writer], service);
  expect(await names(others[1])).toContain(name);
});

it('a replica that falls too far behind is left out, and comes back once it has caught up', async () => {
  await allInUse();
  await replication.onStandby('select pg_wal_replay_pause()');
  await create('Fourth', writer);
  await noneInUse();
  for (const other of others) expect(await names(other)).toContain('Fourth');
  await resume();
  await holdBack(writer, others);
  await resume();
});

it('a replica that gets nothing any more is left out, although it has replayed all that it got', async () => {
  await allInUse();
  const [{ conninfo } = {}] = await replication.onStandby(`select current_setting('primary_conninfo') as conninfo`);
  const streamFrom = async (source: unknown) => {
    await replication.onStandby(`alter system set primary_conninfo = '${source}'`);
    await replication.onStandby('select pg_reload_conf()');
  };
  await streamFrom('host=127.0.0.1 port=1');
  await expect.poll(() => replication.onStandby('select from pg_stat_wal_receiver')).toEqual([]);
  await create('Eighth', writer);
  await noneInUse();
  expect(await names(others[0])).toContain('Eighth');
  await streamFrom(conninfo);
  await allInUse();
});

it('what was noted of the last writes is nothing that replicas get', async () => {
  const noted = orm.em.fork().execute('select count(*)::int as count from last_write');
  expect(await noted).toEqual([{ count: 3 }]);
  await expect(replication.onStandby('select from last_write')).rejects.toThrow();
});

// the last one: the primary does not come back
it('a watch notices what others commit on a promoted standby that is behind the former primary', async () => {
  const { id: organizationId } = await insertOrganization(orm);
  await replication.caughtUp();
  await replication.stopStandby();
  // the standby will number its transactions as these were numbered
  for (let count = 0; count < 100; count += 1) await replication.onPrimary('select pg_current_xact_id()');
  let db: Database | null = new PostgresDatabase(orm);
  let polls = 0;
  const row: Database['row'] = async (...given) => {
    if (!db) throw new Error('the database is away');
    polls += 1;
    return await db.row(...given);
  };
  const watch = new ChangeWatch({ db: { row } as never, log: silentLog, interval: 50 });
  onTestFinished(() => watch.stop());
  const wake = vi.fn();
  watch.watch(organizationId, wake);
  await expect.poll(() => polls).toBeGreaterThan(2);
  db = null;
  await replication.crashPrimary();
  await replication.startStandby();
  await replication.onStandby('select pg_promote()');
  const { orm: promoted } = await inTest(openOrm({ url: replication.replicaUrl }));
  await logChange(promoted.em.fork(), organizationId);
  wake.mockClear();
  db = new PostgresDatabase(promoted);
  await expect.poll(() => wake.mock.calls.length, { timeout: 5_000 }).toBeGreaterThan(0);
  const before = polls;
  await expect.poll(() => polls).toBeGreaterThan(before + 2);
  wake.mockClear();
  await logChange(promoted.em.fork(), randomUUID());
  await logChange(promoted.em.fork(), organizationId);
  await expect.poll(() => wake.mock.calls.length).toBe(1);
}, 120_000);
