import { randomUUIDv7 } from 'node:crypto';
import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionsOf } from '../../src/db/access/connections.ts';
import { ServiceDatabase } from '../../src/db/access/service-database.ts';
import { PoolSnapshots } from '../../src/db/access/snapshots.ts';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import { requireRowSecurity, tablesOfOrganizations } from '../../src/db/row-security.ts';
import { Event } from '../../src/domain/event/event.entity.ts';
import { type Context, crossing } from '../../src/engine/context.ts';
import type { Database } from '../../src/engine/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertEvent, insertMember, insertSubscription } from '../support/fixtures.ts';
import { leftOut, type Pooler, pgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { secureRows } from '../support/row-security.ts';
import { requestsOn } from '../support/scopes.ts';

let database: TestDatabase;
let url: string;
let orm: Orm;
let within: (organizationId: string | null) => Context;
/** Two organizations with two events each, and one without any row but its own. */
const ids = { a: '', b: '', empty: '' };
const opened: Orm[] = [];

async function open(options: Partial<Parameters<typeof createOrm>[0]> = {}): Promise<Orm> {
  const made = await createOrm({ url, rowSecurity: true, ...options });
  opened.push(made);
  return made;
}

beforeAll(async () => {
  database = await createTestDatabase();
  for (const name of ['a', 'b', 'empty'] as const) {
    const { id: userId, organizationId } = await insertMember(database.orm, { role: 'owner' });
    ids[name] = organizationId;
    if (name === 'empty') continue;
    const { id: eventId } = await insertEvent(database.orm, { organizationId });
    await insertEvent(database.orm, { organizationId });
    await insertSubscription(database.orm, { eventId, userId });
    await fillOther(organizationId, eventId, userId);
  }
  url = await secureRows(database.url);
  orm = await open({ poolSize: 1 });
  within = requestsOn(orm);
});
afterAll(async () => {
  for (const each of opened) await each.close(true);
  await database.drop();
});

const asOwner = (statement: string, values: unknown[] = []) => database.orm.em.fork().execute(statement, values);

/** A row in each of the tables that the service itself fills. */
async function fillOther(organization: string, event: string, user: string): Promise<void> {
  const made = async (statement: string, values: unknown[]) => {
    const id = randomUUIDv7();
    await asOwner(statement, [id, ...values]);
    return id;
  };
  await made(
    `insert into api_key (id, organization_id, role, access, prefix, hash, created_by, created_at)
    values (?, ?, 'member', 'read', 'p', ?, ?, now())`,
    [organization, randomUUIDv7(), user],
  );
  await made(
    `insert into audit_entry (id, organization_id, action, created_at) values (?, ?, 'event.created', now())`,
    [organization],
  );
  await made(
    `insert into invitation (id, organization_id, email, mailbox, role, created_at, expires_at)
    values (?, ?, 'a@example.org', ?, 'member', now(), now() + interval '1 day')`,
    [organization, randomUUIDv7()],
  );
  await made(
    `insert into guest_request (id, event_id, mailbox, email, name, created_at, expires_at)
    values (?, ?, 'm', 'e', 'n', now(), now() + interval '1 day')`,
    [event],
  );
  const webhook = await made(
    `insert into webhook (id, organization_id, url, kinds, description, status, created_by, created_at, updated_at,
      place, place_height, place_open, place_from, place_to, place_at)
    select ?, ?, 'https://example.org', '{}', '', 'active', ?, now(), now(), 0, 0, '{}', 0, 0, now()`,
    [organization, user],
  ).catch(() => null);
  if (webhook)
    await made(`insert into webhook_secret (id, webhook_id, sealed, created_at) values (?, ?, 's', now())`, [webhook]);
  await asOwner('insert into event_slug (organization_id, slug, event_id) values (?, ?, ?)', [
    organization,
    'former',
    event,
  ]);
  const subscription = (await asOwner('select id from subscription where event_id = ?', [event])) as { id: string }[];
  await asOwner(`insert into guest_link (hash, subscription_id, expires_at) values (?, ?, now())`, [
    randomUUIDv7(),
    subscription[0]?.id,
  ]);
}

async function tables(): Promise<string[]> {
  const found = await asOwner(
    `${tablesOfOrganizations} select relname as name from belonging join pg_class using (oid) order by 1`,
  );
  return (found as { name: string }[]).map(({ name }) => name);
}

const count = async (db: Database, table: string) =>
  (await db.row<{ count: number }>(sql`select count(*)::int as count from ${raw(`"${table}"`)}`))?.count;

describe('the tables', () => {
  it('all belong to an organization, but for those of a person, of a limit or of the service', async () => {
    const all = (await asOwner(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    )) as { name: string }[];
    const belonging = new Set(await tables());
    expect(all.map(({ name }) => name).filter((name) => !belonging.has(name))).toEqual([
      'calendar_feed',
      // found by a hash of the user, the organization and a key that the client chose
      'idempotency_key',
      'last_write',
      'log_restore',
      'mikro_orm_migrations',
      // where organizations are that are not here any more
      'rate_limit',
      'session',
      'user',
    ]);
  });

  it('of organizations all have policies, and there are no others', async () => {
    const policies = (await asOwner(
      `select tablename as name, string_agg(policyname || ' to ' || array_to_string(roles, ','), '; ' order by policyname) as policies
       from pg_policies where schemaname = 'public' group by 1 order by 1`,
    )) as { name: string; policies: string }[];
    expect(policies.map(({ name }) => name)).toEqual(await tables());
    expect(new Set(policies.map((each) => each.policies))).toEqual(
      new Set(['across_organizations to events_service; within_organization to public']),
    );
  });

  it('show nothing to an organization without rows, nor to a request in none, and all to what crosses', async () => {
    const filled: string[] = [];
    for (const name of await tables()) {
      const rows = await asOwner(`select count(*)::int as count from "${name}"`);
      const all = (rows as { count: number }[])[0]?.count;
      if (all) filled.push(name);
      const own = ['organization', 'membership'].includes(name) ? 1 : 0;
      expect(await count(within(ids.empty).db, name), name).toBe(own);
      expect(await count(within(null).db, name), name).toBe(0);
      expect(await count(crossing(within(ids.empty)).db, name), name).toBe(all);
      expect(await count(new ServiceDatabase(orm), name), name).toBe(all);
    }
    expect(filled).toEqual(
      expect.arrayContaining(['api_key', 'event', 'guest_link', 'guest_request', 'invitation', 'subscription']),
    );
  });

  it('cannot be forgotten: a new one without policies keeps the service from starting', async () => {
    await asOwner('create table "further" ("id" uuid, "organization_id" uuid)');
    try {
      await expect(requireRowSecurity(connectionsOf(orm).primary)).rejects.toThrow(
        'further is open to all organizations; run ops/postgres/row-security.sql',
      );
    } finally {
      await asOwner('drop table "further"');
    }
    await requireRowSecurity(connectionsOf(orm).primary);
  });
});

describe('a statement without its filter', () => {
  const everything = sql`select organization_id as id from event`;
  const of = async (rows: Promise<unknown[]>) => [...new Set((await rows).map((row) => (row as { id: string }).id))];

  it('reads the rows of the organization of its request only', async () => {
    for (const id of [ids.a, ids.b]) {
      const ctx = within(id);
      expect(await of(ctx.db.rows(everything))).toEqual([id]);
      expect(await of(ctx.db.rows(everything, { prepared: true, from: 'read', work: 'heavy' }))).toEqual([id]);
      expect(await of(ctx.db.transaction((unit) => unit.rows(everything)))).toEqual([id]);
      const entities = ctx.db.transaction((unit) => unit.em.find(Event, {}));
      expect([...new Set((await entities).map((each) => each.organization_id))]).toEqual([id]);
      const snapshots = new PoolSnapshots(connectionsOf(orm).snapshots, true);
      expect(await of(snapshots.read(ctx, (snapshot) => snapshot.rows(everything)))).toEqual([id]);
    }
    expect(await of(within(null).db.rows(everything))).toEqual([]);
  });

  it('writes the rows of the organization of its request only', async () => {
    const versions = () =>
      asOwner('select organization_id as id, sum(version)::int as version from event group by 1 order by 2');
    await asOwner('update event set version = 1');
    await within(ids.a).db.run(sql`update event set version = version + 10`);
    await within(ids.a).db.transaction((unit) => unit.em.nativeUpdate(Event, {}, { location: 'Here' }));
    expect(await versions()).toEqual([
      { id: ids.b, version: 2 },
      { id: ids.a, version: 22 },
    ]);
    expect(await asOwner(`select from event where location = 'Here' and organization_id = ?`, [ids.b])).toEqual([]);
    await within(ids.a).db.run(sql`delete from event_slug`);
    expect(await asOwner('select organization_id as id from event_slug')).toEqual([{ id: ids.b }]);
  });

  it('can neither add a row to another organization, nor move one there', async () => {
    const refused = { code: '42501' };
    const { db } = within(ids.a);
    const added = sql`insert into event_slug (organization_id, slug, event_id)
      select ${ids.b}::uuid, 'moved', id from event limit 1`;
    await expect(db.run(added)).rejects.toMatchObject(refused);
    const moved = sql`update event set organization_id = ${ids.b}::uuid`;
    await expect(db.run(moved)).rejects.toMatchObject(refused);
    await expect(db.transaction((unit) => unit.run(moved))).rejects.toMatchObject(refused);
  });
});

/** Two organizations, what crosses them and what is in none, in turn and at once, with all ways to fail in between. */
async function alternate(contextOf: typeof within, rounds: number): Promise<void> {
  const everything = sql`select organization_id as id from event`;
  const seen = async (db: Database) =>
    [...new Set((await db.rows<{ id: string }>(everything, { prepared: true })).map(({ id }) => id))].sort();
  const both = [ids.a, ids.b].sort();
  const faults: ((db: Database, ctx: Context) => Promise<unknown>)[] = [
    (db) => db.rows(sql`select 1 / 0 from event`),
    (db) => db.rows(sql`select missing from event`, { prepared: true }),
    (db) => db.transaction((unit) => unit.rows(sql`select 1 / (count(*) - count(*)) from event`)),
    (db) => db.transaction((unit) => unit.run(sql`insert into missing values (1)`)),
    (db) => db.transaction(async () => Promise.reject(new Error('rolled back'))),
    (db) => db.transaction((unit) => unit.crossing().rows(sql`select 1 / 0`)),
    (db, ctx) => {
      setTimeout(() => ctx.waits.clientGone(), 30);
      return db.rows(sql`select pg_sleep(10) from event`);
    },
  ];
  const results = await Promise.all(
    Array.from({ length: rounds }, async (_, round) => {
      const own = round % 2 === 0 ? ids.a : ids.b;
      const fault = faults[round % faults.length] as (typeof faults)[number];
      const failed = async (db: (ctx: Context) => Database) => {
        const ctx = contextOf(own);
        return await fault(db(ctx), ctx).then(
          () => 'succeeded',
          () => 'failed',
        );
      };
      return [
        await failed((ctx) => ctx.db),
        await seen(contextOf(own).db),
        await failed((ctx) => crossing(ctx).db),
        await seen(contextOf(null).db),
        await seen(crossing(contextOf(own)).db),
        await contextOf(own).db.transaction(async (unit) => [
          await seen(unit),
          await seen(unit.crossing()),
          ...(await Promise.all([seen(unit), seen(unit.crossing()), seen(unit)])),
          await unit.crossing().transaction((inner) => inner.em.count(Event, {})),
          await unit.em.count(Event, {}),
        ]),
        await seen(contextOf(null).db),
      ];
    }),
  );
  for (const [round, result] of results.entries()) {
    const own = [round % 2 === 0 ? ids.a : ids.b];
    expect(result).toEqual(['failed', own, 'failed', [], both, [own, both, own, both, own, 4, 2], []]);
  }
}

describe('a pool of one connection', () => {
  it('never shows one organization what it did for another, whatever failed in between', async () => {
    await alternate(within, 28);
  });

  it('keeps no scope beyond its statement or transaction', async () => {
    const left = async () => {
      const { rows } = await connectionsOf(orm).primary.query(
        `select current_user as role, current_setting('events.organization', true) as organization,
           (select count(*) from event)::int as events`,
      );
      return rows[0];
    };
    const nothing = { role: 'events_scoped', organization: '', events: 0 };
    const { db } = within(ids.a);
    for (const each of [db, db.crossing()]) {
      await each.rows(sql`select from event`);
      expect(await left()).toEqual(nothing);
      await each.transaction((unit) => unit.rows(sql`select from event`));
      expect(await left()).toEqual(nothing);
      await expect(each.rows(sql`select 1 / 0`)).rejects.toThrow();
      expect(await left()).toEqual(nothing);
      await expect(each.transaction((unit) => unit.rows(sql`select 1 / 0`))).rejects.toThrow();
      expect(await left()).toEqual(nothing);
    }
    expect(connectionsOf(orm).primary.totalCount).toBe(1);
  });

  it('takes no further round trip for a scope', async () => {
    const { primary } = connectionsOf(orm);
    const client = await primary.connect();
    const wire = (client as unknown as { connection: { stream: { _writev?: unknown; write(bytes: Buffer): boolean } } })
      .connection.stream;
    const write = wire.write.bind(wire);
    const sent: string[] = [];
    wire.write = (bytes) => {
      sent.push(String.fromCharCode(bytes[0] as number));
      return write(bytes);
    };
    client.release();
    await within(ids.a).db.rows(sql`select id from event`);
    // Bind and Execute of the scope, then the statement, up to its Sync
    expect(sent.join('')).toBe('BEPBDES');
    wire.write = write;
  });
});

describe.skipIf(pgbouncer === null)(`behind PgBouncer in transaction mode${leftOut}`, () => {
  let pooler: Pooler;
  beforeAll(async () => {
    pooler = await startPgbouncer(url);
  });
  afterAll(() => pooler.stop());

  it('never shows one organization what it did for another', async () => {
    await alternate(requestsOn(await open({ url: pooler.urlOf(url), poolSize: 6 })), 14);
  });
});
