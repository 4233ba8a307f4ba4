import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { withClient } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startChildService } from '../support/child-service.ts';
import { password } from '../support/fixtures.ts';
import { configurationOf, startPgbouncer, startProgram } from '../support/installed-programs.ts';
import { lacksPatroni, type PatroniCluster, startPatroni } from '../support/patroni.ts';
import { freePort, lacks } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { startReplication } from '../support/replication.ts';
import { callerHeaders } from '../support/send.ts';
import { post, signIn } from '../support/server.ts';
import { inTest, shared } from '../support/shared.ts';
import { allowLoopback } from '../support/webhooks.ts';
import { addMember, Journal, startWriters, verify } from './writers.ts';

const replication = await shared(startReplication());
const standby = new URL(replication.replicaUrl).host;
const { host } = new URL(replication.url);
const both = (hosts: string) => `${replication.url.replace(host, hosts)}?target_session_attrs=read-write`;
/** Name both servers; the second the standby first. */
const [bothUrl, otherUrl] = [both(`${host},${standby}`), both(`${standby},${host}`)];
// a write is acknowledged when the standby has it on its disk
await replication.onPrimary(`alter system set synchronous_standby_names = '*'`);
await replication.onPrimary('select pg_reload_conf()');
const person = await addMember(bothUrl);
const service = await shared(startChildService({ DATABASE_URL: bothUrl, RATE_LIMIT: 'off', ...allowLoopback }));
const { accessToken } = await signIn(service.url, person.email);
const headers = callerHeaders({ ...person, accessToken });
const receiver = await shared(startReceiver());

const isStandby = (url: string) =>
  withClient(url, async (client) => (await client.query('select pg_is_in_recovery() as is')).rows[0].is);

it('a start after a failover finds the primary, though the server that is named first is a standby now', async () => {
  expect(await migrate(otherUrl)).toEqual([]);
});

it('a command finds the primary, whichever is named first', async () => {
  expect([await isStandby(bothUrl), await isStandby(otherUrl)]).toEqual([false, false]);
});

/** Follows the log as a client does, and gathers the ids of what it is told. */
async function follow(): Promise<{ told: string[]; stop(): void }> {
  const client = createClient({ url: service.url, organization: person.organizationId });
  await client.signIn({ email: person.email, password });
  const told: string[] = [];
  const ending = new AbortController();
  const begun = Promise.withResolvers<void>();
  const run = async () => {
    const changes = client.changes({ since: 'now', signal: ending.signal, onCaughtUp: () => begun.resolve() });
    for await (const { change } of changes) told.push(change.id);
  };
  void run().catch(begun.reject);
  await begun.promise;
  return { told, stop: () => ending.abort() };
}

it('a standby that is promoted is served within 5 s, has all that was acknowledged, and tells it to who follows', async () => {
  const webhook = await post(`${service.url}/webhooks`, { url: receiver.url }, headers);
  expect(webhook.status, webhook.text).toBe(201);
  const { told, stop } = await follow();
  const journal = new Journal();
  const writers = startWriters(journal, service.url, () => headers);
  await journal.nextAfter(performance.now() + 1_000, 20_000);
  const before = journal.events.size;
  await replication.crashPrimary();
  await sleep(2_000);
  // a standby must not take the place of the primary before it is one
  const readyz = await fetch(`${service.url}/readyz`);
  expect([readyz.status, await readyz.json()]).toEqual([200, { ready: true, database: 'unreachable' }]);
  await replication.onStandby('select pg_promote()');
  expect(await journal.nextAfter(performance.now(), 20_000)).toBeLessThan(5_000);
  await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status, { timeout: 5_000 }).toBe(200);
  await sleep(1_000);
  await writers.stop();
  expect(journal.events.size).toBeGreaterThan(before);
  expect(await verify(journal, bothUrl)).toEqual([]);
  const text = 'select id, object_id as object from change order by seq';
  const changes = await withClient(bothUrl, (client) => client.query<{ id: string; object: string }>(text));
  const log = changes.rows;
  const ofEach = (ids: readonly string[]) => {
    const objects = new Map(log.map(({ id, object }) => [id, object]));
    return Object.groupBy(ids, (id) => objects.get(id) ?? 'not in the log');
  };
  const all = ofEach(log.map(({ id }) => id));
  await expect.poll(() => told.length).toBeGreaterThanOrEqual(log.length);
  stop();
  // each once, and those of an object in order
  expect(ofEach(told)).toEqual(all);
  const delivered = () => [...new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])))];
  await expect.poll(() => delivered().length, { timeout: 45_000 }).toBe(log.length);
  expect(ofEach(delivered())).toEqual(all);
}, 120_000);

/** Starts HAProxy before the members, and PgBouncer before it, as their files under `ops/proxies` say but for ports and users. */
async function startDatabaseProxies({ url, members }: PatroniCluster) {
  const port = await freePort();
  const directUrl = new URL(url.replace(/@[^/]+\//, `@127.0.0.1:${port}/`));
  directUrl.search = '';
  const proxy = await startProgram('haproxy', {
    configuration: () =>
      members.reduce(
        (text, { postgres, rest }, index) =>
          text.replace(`127.0.0.1:${5432 + index} port ${8008 + index}`, `127.0.0.1:${postgres} port ${rest}`),
        configurationOf('haproxy-postgresql.cfg').replace('bind :5000', `bind 127.0.0.1:${port}`),
      ),
    arguments: (file) => ['-f', file, '-db'],
    // until the first checks it has no primary
    isReady: () => withClient(directUrl.href, async () => true),
  });
  const [, ...lines] = configurationOf('pgbouncer.ini').split('[pgbouncer]\n');
  const settings = Object.fromEntries(
    lines.flatMap((text) =>
      [...text.matchAll(/^(pool_mode|default_pool_size|server_\w+) = (.*)$/gm)].map(([, name, value]) => [name, value]),
    ),
  ) as Record<string, string>;
  const pooler = await startPgbouncer(directUrl.href, settings);
  return {
    env: {
      DATABASE_URL: pooler.urlOf(directUrl.href),
      DATABASE_POOLER: 'transaction-unnamed',
      DATABASE_DIRECT_URL: directUrl.href,
    },
    stop: async () => {
      await pooler.stop();
      await proxy.stop();
    },
  };
}

const skipped = lacksPatroni();

interface Way {
  env: Record<string, string>;
  stop(): Promise<void>;
}

const directly = async ({ url }: PatroniCluster): Promise<Way> => {
  return { env: { DATABASE_URL: url }, stop: async () => undefined };
};

/** Writes through the service while the primary is lost; nothing that was acknowledged may be. */
async function drill(
  name: string,
  reach: (patroni: PatroniCluster) => Promise<Way>,
  kill: (patroni: PatroniCluster) => Promise<string>,
): Promise<void> {
  const patroni = await inTest(startPatroni());
  await migrate(patroni.url);
  const person = await addMember(patroni.url);
  const { env } = await inTest(reach(patroni));
  const service = await inTest(startChildService({ ...env, RATE_LIMIT: 'off' }));
  const { accessToken } = await signIn(service.url, person.email);
  const journal = new Journal();
  const headers = callerHeaders({ ...person, accessToken });
  const writers = startWriters(journal, service.url, () => headers);
  await expect.poll(() => journal.events.size, { timeout: 60_000 }).toBeGreaterThan(20);
  const killed = performance.now();
  const former = await kill(patroni);
  await sleep(200);
  const [before, lastBefore] = [journal.events.size, journal.lastAt];
  await expect
    .poll(() => journal.lastAt > lastBefore && journal.events.size > before + 5, { timeout: 90_000 })
    .toBe(true);
  console.log(`${name}: ${Math.round((performance.now() - killed) / 100) / 10} s from the kill to the next writes`);
  await expect.poll(() => patroni.leader()).not.toBe(former);
  await writers.stop();
  expect(await verify(journal, patroni.url)).toEqual([]);
}

it.skipIf(skipped)(
  'after Patroni has promoted a standby in place of a killed primary, the service goes on, and has all that was acknowledged',
  { timeout: 400_000 },
  () => drill('Patroni, primary killed', directly, ({ killPrimary }) => killPrimary()),
);

it.skipIf(skipped || lacks('haproxy') || lacks('pgbouncer'))(
  'behind HAProxy and PgBouncer the service goes on after the machine of the primary is lost, and has all that was acknowledged',
  { timeout: 400_000 },
  () => drill('behind HAProxy and PgBouncer, machine lost', startDatabaseProxies, ({ killMachine }) => killMachine()),
);
