import { randomUUIDv7 } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type { Pool as PgPool, PoolClient } from 'pg';
import type { BenchData } from '../database.ts';

/**
 * The limit for writes: plain `node:http` and the bare statements in one transaction, each of them named. It locks the event,
 * respects the capacity, and writes the history, the audit trail and the queue of mails. It has no users or rules, and sends
 * no mails.
 */
const { Pool } = createRequire(import.meta.url)('pg') as { Pool: new (options: object) => PgPool };
const { url } = JSON.parse(process.argv[2] as string) as BenchData;
const pool = new Pool({ connectionString: url, max: availableParallelism() * 2 });

type Row = Record<string, unknown>;
type Ask = (name: string, text: string, values: unknown[]) => Promise<Row>;

async function transaction(work: (ask: Ask) => Promise<string>): Promise<string> {
  const client: PoolClient = await pool.connect();
  try {
    await client.query('begin');
    const body = await work(async (name, text, values) => (await client.query({ name, text, values })).rows[0] as Row);
    await client.query('commit');
    return body;
  } finally {
    client.release();
  }
}

const subscribe = (event: string, user: string) =>
  transaction(async (ask) => {
    const found = await ask('lock', 'select capacity, accepted_count from event where id = $1 for update', [event]);
    const free = found.capacity === null || Number(found.accepted_count) < Number(found.capacity);
    const status = free ? 'accepted' : 'waitlisted';
    const id = randomUUIDv7();
    const { body } = await ask(
      'subscribe',
      `insert into subscription (id, event_id, user_id, status, waiting_since, created_at, updated_at)
        values ($1, $2, $3, $4, case when $4 = 'waitlisted' then now() end, now(), now()) returning to_json(subscription)::text as body`,
      [id, event, user, status],
    );
    await ask(
      'history',
      `insert into subscription_change (id, subscription_id, kind, status_to, actor_id) values ($1, $2, 'status', $3, $4)`,
      [randomUUIDv7(), id, status, user],
    );
    // due so late that it is never sent
    await ask(
      'mail',
      `insert into job (id, lane, kind, data, due_at, created_at) values ($1, 'event_mails', 'subscription_changed', $2, now() + interval '1 day', now())`,
      [randomUUIDv7(), JSON.stringify({ subscriptionId: id, status, by: 'holder' })],
    );
    return String(body);
  });

const change = (event: string, actor: string, description: string) =>
  transaction(async (ask) => {
    const found = await ask('lock-whole', 'select * from event where id = $1 for update', [event]);
    const { body } = await ask(
      'change',
      `update event set description = $2, version = version + 1, updated_at = now() where id = $1 returning to_json(event)::text as body`,
      [event, description],
    );
    await ask(
      'audit',
      `insert into audit_entry (id, organization_id, actor_id, action, detail, created_at) values ($1, $2, $3, 'event.changed', $4, now())`,
      [randomUUIDv7(), found.organization_id, actor, JSON.stringify({ event, fields: ['description'] })],
    );
    return String(body);
  });

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const [, what = '', event = '', user = ''] = (request.url ?? '').split('/');
    const { description = '' } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { description?: string };
    const answer = what === 'subscribe' ? subscribe(event, user) : change(event, user, description);
    answer.then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      (error: Error) => {
        console.error(error.message);
        response.writeHead(500).end();
      },
    );
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
process.on('disconnect', () => process.exit(0));
