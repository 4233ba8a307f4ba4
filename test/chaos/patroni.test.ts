import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withClient } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startChildService } from '../support/child-service.ts';
import { lacksPatroni, type PatroniCluster, startPatroni } from '../support/patroni.ts';
import { startPgbouncer } from '../support/pgbouncer.ts';
import { freePort, lacks } from '../support/programs.ts';
import { configurationOf } from '../support/proxies.ts';
import { callerHeaders } from '../support/send.ts';
import { signIn } from '../support/server.ts';
import { folderInTest } from '../support/shared.ts';
import { startProgram } from '../support/started-program.ts';
import { Journal, verify } from './journal.ts';
import { addMember, startWriters } from './writers.ts';

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

/** Writes through the service while the primary is lost; nothing that was acknowledged may be. */
async function drill(
  name: string,
  reach: (patroni: PatroniCluster) => Promise<Way>,
  kill: (patroni: PatroniCluster) => Promise<string>,
): Promise<void> {
  const patroni = await startPatroni();
  let way: Way | undefined;
  let service: Awaited<ReturnType<typeof startChildService>> | undefined;
  try {
    await migrate(patroni.url);
    const person = await addMember(patroni.url);
    way = await reach(patroni);
    service = await startChildService({ ...way.env, DATA_DIR: await folderInTest(), RATE_LIMIT: 'off' });
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
  } finally {
    await service?.kill();
    await way?.stop();
    await patroni.close();
  }
}

it.skipIf(skipped)(
  'after Patroni has promoted a standby in place of a killed primary, the service goes on, and has all that was acknowledged',
  { timeout: 400_000 },
  () =>
    drill(
      'Patroni, primary killed',
      async ({ url }) => ({ env: { DATABASE_URL: url }, stop: async () => undefined }),
      (patroni) => patroni.killPrimary(),
    ),
);

it.skipIf(skipped || lacks('haproxy') || lacks('pgbouncer'))(
  'behind HAProxy and PgBouncer the service goes on after the machine of the primary is lost, and has all that was acknowledged',
  { timeout: 400_000 },
  () =>
    drill('Patroni behind HAProxy and PgBouncer, machine lost', startDatabaseProxies, (patroni) =>
      patroni.killMachine(),
    ),
);
