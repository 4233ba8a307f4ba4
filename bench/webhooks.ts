import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { withClient } from '../src/db/client.ts';
import type { ChangeRow } from '../src/domain/change/change.table.ts';
import { type Crowd, prepareCrowds } from './crowd.ts';
import { openBenchDatabase } from './database.ts';
import { type RunningPeer, startPeers, stopPeers } from './peers.ts';
import { treeCpu } from './processes.ts';
import { figure, median, origin, ratioTable, save } from './report.ts';
import type { Posts } from './servers/limit-webhooks.ts';
import type { Settings } from './settings.ts';
import { headersOf } from './tokens.ts';

const sizes = { organizations: 8, managers: 0, members: 0, events: 1 };
/** Changes of a round, each of another object. */
const changes = 2_000;

interface Measured {
  /** Deliveries a second. */
  limit: number;
  gateway: number;
  serverCpu: number;
  databaseCpu: number;
}

/** Measures deliveries of webhooks beside a bare loop that signs the same bodies; returns the report. */
export async function measureWebhooks(settings: Settings): Promise<string> {
  const data = await openBenchDatabase(settings.counts, process.env.DATABASE_URL ?? null);
  const receiver = await startReceiver();
  const loop = fork(path.join(import.meta.dirname, 'servers', 'limit-webhooks.ts'));
  await once(loop, 'message');
  try {
    return await withClient(data.url, async (client) => {
      const crowds = await prepareCrowds(client, sizes);
      const running = await startPeers(['gateway'], data, {
        profile: settings.profile,
        // all webhooks lead to one host
        env: { WEBHOOK_ALLOW: '127.0.0.1/32', RATE_LIMIT: 'off' },
      });
      try {
        const gateway = running.get('gateway') as RunningPeer;
        for (const crowd of crowds) await createWebhook(gateway, crowd, receiver.url);
        const rounds: Measured[] = [];
        for (let round = 0; round <= settings.rounds; round += 1) {
          const byLoop = async () =>
            await receiver.rate(async () => void loop.send(await postsOf(client, crowds, receiver.url)));
          const before = round % 2 === 0 ? await byLoop() : 0;
          const cpu = [treeCpu(gateway.pid), data.postmaster === null ? Number.NaN : treeCpu(data.postmaster)];
          const rate = await receiver.rate(() => writeChanges(client, crowds));
          const used = [treeCpu(gateway.pid), data.postmaster === null ? Number.NaN : treeCpu(data.postmaster)];
          const [serverCpu = 0, databaseCpu = 0] = used.map((each, at) => ((each - (cpu[at] ?? 0)) * 1000) / changes);
          const limit = before || (await byLoop());
          // the first round warms up
          if (round > 0) rounds.push({ limit, gateway: rate, serverCpu, databaseCpu });
        }
        const text = report(rounds, settings);
        await save(settings.out, { 'webhooks.md': text });
        return text;
      } finally {
        await stopPeers(running);
        await client.query('delete from change where organization_id = any($1)', [
          crowds.map((each) => each.organization),
        ]);
        await client.query(`delete from organization where slug like 'bench-crowd-%'`);
      }
    });
  } finally {
    loop.kill();
    receiver.close();
    await data.close();
  }
}

/** A receiver that answers everything, and says how many messages arrive a second. */
async function startReceiver() {
  let seen = new Set<string>();
  let first = 0;
  let last = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      last = performance.now();
      if (seen.size === 0) first = last;
      seen.add(request.headers['webhook-id'] as string);
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    /** Messages a second from the first to the last, of all that `cause` sets off. */
    async rate(cause: () => Promise<void>): Promise<number> {
      seen = new Set();
      await cause();
      const deadline = Date.now() + 120_000;
      while (seen.size < changes) {
        if (Date.now() > deadline) throw new Error(`${seen.size} of ${changes} changes were delivered.`);
        await sleep(20);
      }
      return ((changes - 1) * 1000) / (last - first);
    },
    close: () => server.close(),
  };
}

async function createWebhook({ url }: RunningPeer, { owner, organization }: Crowd, target: string): Promise<void> {
  const headers = { ...(await headersOf(owner, organization)), 'content-type': 'application/json' };
  const response = await fetch(`${url}/webhooks`, { method: 'POST', headers, body: JSON.stringify({ url: target }) });
  if (!response.ok) throw new Error(`The webhook was refused: ${await response.text()}`);
}

/** Writes the changes of a round to the log, the same number for each organization. */
async function writeChanges(client: PoolClient, crowds: Crowd[]): Promise<void> {
  await client.query(
    `insert into change (organization_id, x, id, kind, op, member_op, object_id, event_id, version, actor_id, occurred_at)
      select organization, pg_current_xact_id(), uuidv7(), 'event', 'changed', 'changed', gen_random_uuid(), gen_random_uuid(), 2,
        gen_random_uuid(), clock_timestamp()
      from generate_series(1, $2::int) i cross join unnest($1::uuid[]) as organization`,
    [crowds.map(({ organization }) => organization), changes / crowds.length],
  );
}

/** As many changes for the loop. */
async function postsOf(client: PoolClient, crowds: Crowd[], url: string): Promise<Posts> {
  const { rows } = await client.query<ChangeRow>(
    `select uuidv7() as id, 'event' as kind, 'changed' as op, gen_random_uuid() as object_id, gen_random_uuid() as event_id, 2 as version,
      gen_random_uuid() as actor_id, now() as occurred_at from generate_series(1, ${changes})`,
  );
  return { url, organization: crowds[0]?.organization ?? '', changes: rows };
}

function report(rounds: Measured[], { command }: Settings): string {
  const middle = (pick: (each: Measured) => number) => figure(median(rounds.map(pick)));
  const ratios = rounds.map(({ gateway, limit }) => gateway / limit);
  return `# Deliveries of webhooks

${changes} changes of ${sizes.organizations} organizations with a webhook each, to a receiver on the same machine; rounds: ${rounds.length}, in each of which the service and
the limit take turns; medians. The limit is a bare loop of undici that signs the same bodies, sends 64 at a time over connections that it
keeps, and records nothing. The service checks the address for each delivery, keeps at most 8 of a webhook under way, and records each try.

${origin(command)}
${ratioTable([{ name: 'L3', title: 'deliveries a second' }], () => ratios)}
| deliveries a second | limit | server CPU, µs | PostgreSQL CPU, µs |
| --- | --- | --- | --- |
| ${middle(({ gateway }) => gateway)} | ${middle(({ limit }) => limit)} | ${middle(({ serverCpu }) => serverCpu)} | ${middle(({ databaseCpu }) => databaseCpu)} |
`;
}
