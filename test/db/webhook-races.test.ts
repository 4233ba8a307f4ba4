import { randomUUIDv7 } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import type { ChangeKind } from '../../src/domain/change/change.table.ts';
import { placeAtEnd } from '../../src/domain/change/read-changes.ts';
import { Webhook } from '../../src/domain/webhook/webhook.entity.ts';
import { findLogReaders, type LogReader, readWebhookLog } from '../../src/jobs/webhook-reader.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertOrganization } from '../support/fixtures.ts';
import { shared } from '../support/shared.ts';

const time = { now: new Date(), retentionDays: 30 };
const clients: Client[] = [];

const database = await shared(createTestDatabase());
const db = new PostgresDatabase(database.orm);
const { id: organizationId } = await insertOrganization(database.orm);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
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

/** A webhook that reads page after page, and the ids of what it has queued. */
async function reader(kinds: ChangeKind[]) {
  const em = database.orm.em.fork();
  const webhook = em.create(Webhook, {
    ...{ organization_id: organizationId, url: 'https://receiver.example/', kinds, description: '' },
    ...{ status: 'active', status_reason: null, created_by: randomUUIDv7(), failing_since: null },
    ...{ last_success_at: null, last_failure_at: null },
    place: await placeAtEnd(db, organizationId, time.now),
  });
  await em.persist(webhook).flush();
  const nothing = async () => undefined;
  /** @param after happens once the log is read, before that is recorded */
  const readOn = async (before: () => Promise<unknown> = nothing, after: () => Promise<unknown> = nothing) => {
    const found = await findLogReaders(db, [organizationId]);
    const own = found.find(({ id }) => id === webhook.id) as LogReader;
    await before();
    const transaction = db.transaction.bind(db);
    const spy = vi.spyOn(db, 'transaction').mockImplementationOnce(async (work) => {
      spy.mockRestore();
      await after();
      return await transaction(work);
    });
    return await readWebhookLog(db, own, time);
  };
  const read = async () =>
    (await database.execute<{ id: string }>('select about as id from job where party = ?', [webhook.id]))
      .map(({ id }) => id)
      .toSorted();
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
    expect(await read()).toEqual(written.toSorted());
  });

  it('lacks no change of a kind that was added while a page was about to be read', async () => {
    const { webhook, read, readOn } = await reader(['form']);
    let added: string | undefined;
    await readOn(async () => {
      const changed = `kinds = '{form,event}', redirected_at = clock_timestamp(), unread = true`;
      await database.execute(`update webhook set ${changed} where id = ?`, [webhook.id]);
      const writer = await begun();
      added = await change(writer);
      await writer.query('commit');
    });
    await readOn();
    expect(await read()).toEqual([added]);
  });
});

it('two processes that read the same page queue its changes once', async () => {
  const { read, readOn } = await reader(['event']);
  const writer = await begun();
  const written = await change(writer);
  await writer.query('commit');
  const other = async () => {
    const [own] = (await findLogReaders(db, [organizationId])).slice(-1);
    await readWebhookLog(db, own as LogReader, time);
  };
  expect(await readOn(undefined, other)).toEqual({ changes: [], more: true });
  expect(await read()).toEqual([written]);
});
