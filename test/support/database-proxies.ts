import { withClient } from '../../src/db/client.ts';
import { freePort } from './free-port.ts';
import type { PatroniCluster } from './patroni.ts';
import { startPgbouncer } from './pgbouncer.ts';
import { configurationOf } from './proxies.ts';
import { startProgram } from './started-program.ts';

/** Starts HAProxy before the members, and PgBouncer before it, as their files under `ops/proxies` say but for ports and users. */
export async function startDatabaseProxies({ url, members }: PatroniCluster) {
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
