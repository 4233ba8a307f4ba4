import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withClient } from '../../src/db/client.ts';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';
import type { PatroniCluster } from './patroni.ts';
import { startPgbouncer } from './pgbouncer.ts';

const configurationOf = (name: string) =>
  readFile(fileURLToPath(import.meta.resolve(`../../ops/proxies/${name}`)), 'utf8');

/** Starts HAProxy before the members, and PgBouncer before it, as their files under `ops/proxies` say but for ports and users. */
export async function startDatabaseProxies({ url, members }: PatroniCluster) {
  const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-haproxy-'));
  const port = await freePort();
  let configuration = (await configurationOf('haproxy-postgresql.cfg')).replace('bind :5000', `bind 127.0.0.1:${port}`);
  for (const [index, { postgres, rest }] of members.entries()) {
    configuration = configuration.replace(
      `127.0.0.1:${5432 + index} port ${8008 + index}`,
      `127.0.0.1:${postgres} port ${rest}`,
    );
  }
  const file = path.join(dir, 'haproxy.cfg');
  await writeFile(file, configuration);
  const child = spawn(findProgram('haproxy') as string, ['-f', file, '-db'], { stdio: 'ignore' });
  const directUrl = new URL(url.replace(/@[^/]+\//, `@127.0.0.1:${port}/`));
  directUrl.search = '';
  const stop = async () => {
    const exited = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await exited;
    await rm(dir, { recursive: true, force: true });
  };
  // until the first checks it has no primary
  const end = performance.now() + 30_000;
  while (!(await isReached(directUrl.href))) {
    if (child.exitCode === null && performance.now() < end) continue;
    await stop();
    throw new Error('HAProxy does not find the primary');
  }
  const [, ...lines] = (await configurationOf('pgbouncer.ini')).split('[pgbouncer]\n');
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
      await stop();
    },
  };
}

const isReached = (url: string) =>
  withClient(url, async () => true).catch(async () => {
    await sleep(100);
    return false;
  });
