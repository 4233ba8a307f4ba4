import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withClient } from '../../src/db/client.ts';
import { createOrm } from '../../src/db/orm.ts';
import { type ChildService, startChildService } from '../support/child-service.ts';
import { insertEvent, insertMember, insertSubscription } from '../support/fixtures.ts';
import { type Caller, query } from '../support/graphql.ts';
import { type Replication, startReplication } from '../support/replication.ts';
import { rolesOfTests, secureRows, urlAs } from '../support/row-security.ts';
import { send } from '../support/send.ts';
import { signIn } from '../support/sign-in.ts';

let replication: Replication;
let service: ChildService;
let dataDir: string;
let callers: [Required<Caller>, Required<Caller>];
/** The events of each organization. */
let events: [string[], string[]];
let env: Record<string, string>;

/** The database of the standby as the role that row-level security holds for. */
const scopedReplica = () => urlAs('events_scoped', replication.replicaUrl);

beforeAll(async () => {
  replication = await startReplication();
  for (const statement of rolesOfTests) await replication.onPrimary(statement);
  const scopedUrl = await secureRows(replication.url, replication.superuserUrl);
  const orm = await createOrm({ url: replication.url });
  const people = [await insertMember(orm, { role: 'manager' }), await insertMember(orm, { role: 'manager' })] as const;
  const make = async ({ organizationId, id: userId }: (typeof people)[number]) => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { id } = await insertEvent(orm, { organizationId });
      await insertSubscription(orm, { eventId: id, userId });
      ids.push(id);
    }
    return ids.sort();
  };
  events = [await make(people[0]), await make(people[1])];
  await orm.close(true);
  dataDir = await mkdtemp(path.join(tmpdir(), 'events-gateway-secured-replica-'));
  env = { DATABASE_URL: scopedUrl, DATABASE_ROW_SECURITY: 'on', DATA_DIR: dataDir, RATE_LIMIT: 'off' };
  service = await startChildService({ ...env, DATABASE_REPLICA_URLS: scopedReplica() });
  const enter = async ({ email, organizationId }: (typeof people)[number]) => ({
    accessToken: (await signIn(service.url, email)).accessToken,
    organizationId,
  });
  callers = [await enter(people[0]), await enter(people[1])];
  await replication.caughtUp();
});
afterAll(async () => {
  await service?.kill();
  await replication?.close();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

const replicasOf = async ({ url }: { url: string }) => (await fetch(`${url}/readyz`)).headers.get('x-replicas');

/** What the standby has answered to the service so far, by its own count. */
async function readsOfStandby(): Promise<number> {
  const [row] = await replication.onStandby(
    `select coalesce(sum(idx_scan + seq_scan), 0)::int as scans from pg_stat_user_tables where relname in ('event', 'subscription')`,
  );
  return Number(row?.scans);
}

it('a standby streams the policies, too, and shows a role no rows but those of its organization', async () => {
  await withClient(scopedReplica(), async (client) => {
    const seen = async () => (await client.query('select id from event order by id')).rows.map(({ id }) => id);
    expect(await seen()).toEqual([]);
    for (const [index, { organizationId }] of callers.entries()) {
      await client.query(`select set_config('events.organization', $1, false)`, [organizationId]);
      expect(await seen()).toEqual(events[index]);
    }
  });
});

it('lists and counts come from the standby, on both faces, and show what is of their organization', async () => {
  await expect.poll(() => replicasOf(service)).toBe('1/1');
  const before = await readsOfStandby();
  const ask = async (caller: Caller, own: string[]) => {
    const list = await send<{ items: { id: string }[] }>(service, caller, 'GET /events?fields=id');
    expect(list.body.items.map(({ id }) => id).sort()).toEqual(own);
    expect((await send(service, caller, 'GET /subscriptions/count')).body).toBe(3);
    const data = await query<{
      events: { nodes: { databaseId: string }[] };
      eventSubscriptions: { totalCount: number };
    }>(service, caller, '{ events { nodes { databaseId } } eventSubscriptions { totalCount } }');
    expect(data.events.nodes.map(({ databaseId }) => databaseId).sort()).toEqual(own);
    expect(data.eventSubscriptions.totalCount).toBe(3);
  };
  const askBoth = () => Promise.all([ask(callers[0], events[0]), ask(callers[1], events[1])]);
  // in turn, on the same few connections
  for (let round = 0; round < 10; round += 1) await askBoth();
  // a standby that has fallen behind is asked again once it has caught up
  const readsAfterAsking = async () => {
    await askBoth();
    return readsOfStandby();
  };
  await expect.poll(readsAfterAsking, { timeout: 45_000 }).toBeGreaterThan(before);
});

it('a replica whose role row-level security does not hold for gets no reads', async () => {
  const { username, password } = new URL(replication.superuserUrl);
  const asSuperuser = Object.assign(new URL(replication.replicaUrl), { username, password }).href;
  const careless = await startChildService({ ...env, DATABASE_REPLICA_URLS: asSuperuser });
  try {
    for (const [index, caller] of callers.entries()) {
      const list = await send<{ items: { id: string }[] }>(careless, caller, 'GET /events?fields=id');
      expect(list.body.items.map(({ id }) => id).sort()).toEqual(events[index]);
    }
    // which it is asked for first, before it is known that it refuses
    await expect.poll(() => replicasOf(careless)).toBe('0/1');
  } finally {
    await careless.kill();
  }
});
