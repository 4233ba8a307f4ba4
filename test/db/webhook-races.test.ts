import { randomUUIDv7 } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceDatabase } from '../../src/db/access/service-database.ts';
import { placeAtEnd } from '../../src/domain/change/read-changes.ts';
import { readPage } from '../../src/domain/webhook/read-page.ts';
import { recordProgress } from '../../src/domain/webhook/record-progress.ts';
import { type Turn, takeTurns } from '../../src/domain/webhook/turns.ts';
import { Webhook } from '../../src/domain/webhook/webhook.entity.ts';
import { placeColumns, redirect } from '../../src/domain/webhook/webhook-place.ts';
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

/** A webhook that reads page after page, as a process in its turn, and the ids of what it has read. */
async function reader(kinds: string[]) {
  const em = database.orm.em.fork();
  const webhook = em.create(Webhook, {
    ...{ organization_id: organizationId, url: 'https://receiver.example/', kinds, description: '' },
    ...{ status: 'active', status_reason: null, created_by: randomUUIDv7(), failing_since: null },
    ...{ last_success_at: null, last_failure_at: null },
    ...placeColumns(await placeAtEnd(db, organizationId, time.now)),
  });
  await em.persist(webhook).flush();
  const read: string[] = [];
  const nothing = async () => undefined;
  const readOn = async (before: () => Promise<unknown> = nothing, after: () => Promise<unknown> = nothing) => {
    const { turns } = await takeTurns(db, [webhook.id], [], { all: 8, failing: 8 });
    const turn = turns[0] as Turn;
    await before();
    const page = await readPage(db, turn, 10, time);
    read.push(...(page?.items ?? []).map(({ change: { id } }) => id));
    await after();
    const reached = { redirectedAt: turn.redirected_at, to: page?.next ?? null, more: false };
    await recordProgress(db, [{ key: turn, delivered: [], queued: [], released: [], reached }]);
    await takeTurns(db, [], [{ ...turn, sending: 0 }], { all: 0, failing: 0 });
  };
  return { webhook, read, readOn };
}

describe('what a webhook has read of the log', () => {
  it('lacks nothing that is committed later under a lower number, by a younger transaction than its own', async () => {
    const { read, readOn } = await reader(['event']);
    const written: string[] = [];
    const early = await begun();
    const late = await begun();
    await readOn(undefined, async () => {
      written.push(await change(late), await change(early));
      await early.query('commit');
    });
    await readOn(undefined, () => late.query('commit'));
    await readOn();
    expect(read).toHaveLength(2);
    expect(read.toSorted()).toEqual(written.toSorted());
  });

  it('lacks no change of a kind that was added while a page was about to be read', async () => {
    const { webhook, read, readOn } = await reader(['form']);
    let added: string | undefined;
    await readOn(async () => {
      await database.orm.em.fork().execute(`update webhook set kinds = '{form,event}' where id = ?`, [webhook.id]);
      await db.transaction((unit) => unit.run(redirect(webhook)));
      const writer = await begun();
      added = await change(writer);
      await writer.query('commit');
    });
    await readOn();
    expect(read).toEqual([added]);
  });
});
