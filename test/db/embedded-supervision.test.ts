import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findAccount, launchAs } from '../../packages/embedded-postgres/src/account.ts';
import { findBinaries, run } from '../../packages/embedded-postgres/src/cluster.ts';
import { withClient } from '../../src/db/client.ts';
import { demoOrganizationId, demoPassword } from '../../src/db/demo/demo.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { ask as askAt, createTestDatabase, openOrm } from '../support/database.ts';
import { startPostgres } from '../support/postgres.ts';
import { post } from '../support/server.ts';
import { shared, sharedFolder } from '../support/shared.ts';
import { type StartedService, startService } from '../support/started-service.ts';

const dataDir = await sharedFolder();
let service: StartedService;
let kill: () => void;
/** How much of its log is of earlier tests. */
let seen = 0;
let headers: Record<string, string>;

const data = () => path.join(dataDir, 'postgres/data');
const isRunning = () => existsSync(path.join(data(), 'postmaster.pid'));
const postmaster = async () => Number((await readFile(path.join(data(), 'postmaster.pid'), 'utf8')).split('\n')[0]);

beforeAll(start, 120_000);
afterAll(async () => {
  kill();
  if (isRunning()) await (await startEmbedded(dataDir)).stop();
});

/** Waits until the service has logged something. */
function says(words: RegExp): Promise<void> {
  const said = () => service.output().slice(seen).slice(-4000);
  return vi.waitFor(() => expect(said()).toMatch(words), { timeout: 100_000, interval: 25 });
}

async function start(): Promise<void> {
  service = await startService({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' }, (end) => {
    kill = end;
  });
  seen = 0;
  const login = await post(`${service.url}/auth/login`, { email: 'owner@demo.example', password: demoPassword });
  headers = { authorization: `Bearer ${login.body.access_token}`, 'x-organization-id': demoOrganizationId };
  expect(await ask()).toEqual([served, served]);
}

/** Expects that the service ends well on SIGTERM, and the server with it. */
async function stopService(): Promise<void> {
  expect(await service.stop('SIGTERM')).toEqual([0, null]);
  expect(isRunning()).toBe(false);
}

type Answer = { status: number; code: string | undefined; retryAfter: boolean };

/** Asks the two faces for events. */
async function ask(): Promise<[rest: Answer, graphql: Answer]> {
  const rest = await fetch(`${service.url}/events?limit=1`, { headers });
  const problem = (await rest.json()) as { code?: string };
  const graphql = await post(`${service.url}/graphql`, { query: '{ events(first: 1) { nodes { name } } }' }, headers);
  const { errors } = graphql.body as { errors?: { extensions: { code: string; retry_after?: number } }[] };
  const extensions = errors?.[0]?.extensions;
  return [
    { status: rest.status, code: problem.code, retryAfter: rest.headers.has('retry-after') },
    { status: graphql.status, code: extensions?.code, retryAfter: extensions?.retry_after !== undefined },
  ];
}

const served: Answer = { status: 200, code: undefined, retryAfter: false };
const away = { code: 'SERVICE_UNAVAILABLE', retryAfter: true };

/** What a client may hear while the server is away; a GraphQL operation that had begun says so under 200. */
function isHonest({ status, code, retryAfter }: Answer): boolean {
  return code === undefined ? status === 200 : code === away.code && retryAfter && [200, 503].includes(status);
}

/** Stops or restarts the server as somebody at this machine may; does not wait, since the service starts it meanwhile. */
async function control(command: string): Promise<void> {
  const { pg_ctl } = await findBinaries();
  const launch = launchAs(findAccount(data()), [data(), pg_ctl]);
  const log = path.join(dataDir, 'postgres/other.log');
  await run(launch, pg_ctl, [command, '-W', '-m', 'fast', '-D', data(), '-l', log]);
}

async function killBackend(): Promise<void> {
  const pid = await withClient(await superuserUrl(), async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'events-gateway' and pid <> pg_backend_pid() limit 1`,
    );
    return rows[0]?.pid;
  });
  process.kill(pid as number, 'SIGKILL');
}

async function startElsewhere(): Promise<void> {
  process.kill(await postmaster(), 'SIGKILL');
  const other = await startEmbedded(dataDir);
  await says(/PostgreSQL is back/);
  await other.stop();
}

async function superuserUrl(): Promise<string> {
  const password = (await readFile(path.join(dataDir, 'postgres/password'), 'utf8')).trim();
  const port = (await readFile(path.join(data(), 'postmaster.pid'), 'utf8')).split('\n')[3];
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

describe('under a running service', () => {
  test.each([
    ['killed', async () => void process.kill(await postmaster(), 'SIGKILL')],
    ['stopped', () => control('stop')],
    ['killed in one of its processes', killBackend],
    ['killed and started again by somebody who then leaves', startElsewhere],
  ])('a server that is %s comes back without a restart of the service', { timeout: 120_000 }, async (_, disturb) => {
    seen = service.output().length;
    const answers: Answer[] = [];
    let done = false;
    const asking = (async () => {
      for (; !done; await sleep(5)) answers.push(...(await ask()));
    })();
    try {
      await disturb();
      await says(/PostgreSQL is back/);
      const before = answers.length;
      await vi.waitFor(() => expect(answers.length).toBeGreaterThan(before + 100), { timeout: 20_000 });
    } finally {
      done = true;
      await asking;
    }
    expect(answers.filter((answer) => !isHonest(answer))).toEqual([]);
    expect(await ask()).toEqual([served, served]);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  test('it stops with the service', stopService, 60_000);

  test('a server that cannot come back is no reason to end; the service says why, and can be stopped', async () => {
    await start();
    const settings = path.join(data(), 'postgresql.conf');
    await rename(settings, `${settings}.away`);
    process.kill(await postmaster(), 'SIGKILL');
    await says(/cannot be restarted: .*postgresql\.conf/);
    for (const answer of await ask()) expect(answer).toEqual({ status: 503, ...away });
    await rename(`${settings}.away`, settings);
    await says(/PostgreSQL is back/);
    expect(await ask()).toEqual([served, served]);
    await rename(settings, `${settings}.away`);
    process.kill(await postmaster(), 'SIGKILL');
    await says(/cannot be restarted.*cannot be restarted/s);
    expect(await service.stop('SIGTERM')).toEqual([0, null]);
    await rename(`${settings}.away`, settings);
  }, 200_000);
});

test('a pool connects to the current location of its database', async () => {
  const [first, second] = [await shared(createTestDatabase()), await shared(createTestDatabase())];
  let now = first.url;
  const { orm } = await shared(openOrm({ url: first.url, locate: () => now, poolSize: 1 }));
  const name = () => orm.em.fork().execute('select current_database() as name, pg_backend_pid() as pid');
  const [before] = await name();
  expect(first.url).toContain(before?.name);
  now = second.url;
  await first.execute(`select pg_terminate_backend(${before?.pid})`);
  await expect.poll(async () => (await name().catch(() => []))[0]?.name).toBe(new URL(second.url).pathname.slice(1));
});

const server = await shared(
  startPostgres({ dataDir: await sharedFolder(), serverSettings: { fsync: 'off', shared_buffers: '16MB' } }),
);

/** All relations and routines of the service, by their owner; extensions stay with whoever made them. */
const owners = `
  select pg_get_userbyid(owner) as owner, count(*)::int > 10 as many from (
    select relowner as owner, oid from pg_class where relnamespace = 'public'::regnamespace
    union all select proowner, oid from pg_proc where pronamespace = 'public'::regnamespace
  ) as object where not exists (select from pg_depend where objid = object.oid and deptype = 'e') group by 1`;

describe('the role of the embedded database', () => {
  test('owns its database, and is nothing else on the server', async () => {
    await migrate(server.url);
    const [role] = await askAt(
      server.url,
      `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, pg_get_userbyid(datdba) as owner,
        (select count(*)::int from pg_auth_members where member = pg_roles.oid) as memberships
        from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    );
    expect(role).toEqual({
      ...{ rolname: 'events_gateway', owner: 'events_gateway', memberships: 0, rolsuper: false, rolcreaterole: false },
      ...{ rolcreatedb: false, rolreplication: false, rolbypassrls: false },
    });
    await expect(askAt(server.url, `select pg_read_file('postgresql.conf')`)).rejects.toThrow(/permission denied/);
    await expect(askAt(server.url, `copy organization from program 'true'`)).rejects.toThrow(/permission denied/);
    expect(await askAt(server.url, owners)).toEqual([{ owner: 'events_gateway', many: true }]);
  });

  test('is the only one that stays connected', async () => {
    const users = `select distinct usename from pg_stat_activity where datid is not null and usesysid is not null and pid <> pg_backend_pid()`;
    await expect
      .poll(() => askAt(server.superuserUrl, users), { timeout: 5_000 })
      .toEqual([{ usename: 'events_gateway' }]);
  });
});
