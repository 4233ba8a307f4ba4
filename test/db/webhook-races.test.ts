import { randomUUIDv7 } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceDatabase } from '../../src/db/access/service-database.ts';
import { placeAtEnd } from '../../src/domain/change/read-changes.ts';
import { readAhead } from '../../src/domain/webhook/read-ahead.ts';
import { Webhook } from '../../src/domain/webhook/webhook.entity.ts';
import { placeColumns } from '../../src/domain/webhook/webhook-place.ts';
import type { UnitOfWork } from '../../src/engine/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertOrganization } from '../support/fixtures.ts';

const time = { now: new Date(), retentionDays: 30 };
let database: TestDatabase;
let db: ServiceDatabase;
let organizationId: string;
const clients: Client[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = new ServiceDatabase(database.orm);
  ({ id: organizationId } = await insertOrganization(database.orm));
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await database.drop();
});

/** A transaction that already has its number. */
async function begun(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  clients.push(client);
  await client.query('begin');
  await client.query('select pg_current_xact_id()');
  return client;
}

async function change(client: Client): Promise<string> {
  const id = randomUUIDv7();
  await client.query(
    `insert into change (organization_id, x, id, kind, op, object_id, event_id, occurred_at)
      values ($1, pg_current_xact_id(), $2, 'event', 'changed', $2, $2, clock_timestamp())`,
    [organizationId, id],
  );
  return id;
}

/** Runs something else once a transaction has taken its first lock. */
function interrupted(meanwhile: () => Promise<void>): ServiceDatabase {
  const given = Object.create(db) as ServiceDatabase;
  given.rows = (statement, options) => db.rows(statement, options);
  given.row = (statement, options) => db.row(statement, options);
  given.transaction = <Result>(work: (unit: UnitOfWork) => Promise<Result>) =>
    db.transaction(async (unit) => {
      const locked = Object.create(unit) as UnitOfWork;
      let isFirst = true;
      locked.rows = (statement, options) => unit.rows(statement, options);
      locked.run = (statement) => unit.run(statement);
      locked.row = async (statement, options) => {
        const row = await unit.row(statement, options);
        if (isFirst) await meanwhile();
        isFirst = false;
        return row as never;
      };
      return await work(locked);
    });
  return given;
}

describe('what a webhook has read of the log', () => {
  it('lacks nothing that is committed later under a lower number, by a younger transaction than its own', async () => {
    const em = database.orm.em.fork();
    const webhook = em.create(Webhook, {
      ...{ organization_id: organizationId, url: 'https://receiver.example/', kinds: ['event'], description: '' },
      ...{ status: 'active', status_reason: null, created_by: randomUUIDv7(), failing_since: null },
      ...{ last_success_at: null, last_failure_at: null },
      ...placeColumns(await placeAtEnd(db, organizationId, time.now)),
    });
    await em.persist(webhook).flush();
    let late: Client | undefined;
    const written: string[] = [];
    const race = interrupted(async () => {
      const early = await begun();
      late = await begun();
      written.push(await change(late), await change(early));
      await early.query('commit');
    });
    await readAhead(race, webhook.id, time);
    await late?.query('commit');
    await readAhead(db, webhook.id, time);
    const queued = await em.execute<{ change_id: string }[]>('select change_id from webhook_due');
    expect(queued.map(({ change_id: id }) => id).toSorted()).toEqual(written.toSorted());
  });
});
