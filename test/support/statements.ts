import type { Pool, PoolClient } from 'pg';
import type { Orm } from '../../src/db/orm.ts';
import { executedOnce } from './lanes.ts';

/** Statements that frame others: a transaction is no statement of a read's budget. */
const framing = /^\s*(begin|start transaction|commit|rollback|savepoint|release)\b/i;

/** How statements begin that the service asks by itself, whatever requests arrive, by what they are about. */
const ofItself = [
  // mails and notices that are due
  /^select lane,\s+extract\(epoch from first\.due_at/,
  /^update job set due_at = date_trunc\('milliseconds', now\(\)\) where lane in/,
  /^with due as \(\s*select job\./,
  /^with recursive turn as/,
  /^with own as \(\s*select job\./,
  /^select (?:event_id as id from event_change_notice|id from event where status = \S+ and date_start > now\(\))/,
  // periodic work
  /^insert into job \(id, lane, kind, key, data, due_at\)/,
  /^update job set (?:claimed = \$1|held = false)/,
  /^delete from job where id = \$1$/,
  // deliveries
  /^with busy as materialized/,
  /^with (?:given|locked) as materialized/,
  /^select from webhook where id = /,
  // which organizations have changed, and what webhooks have to do
  /^select set_config\('(?:enable_seqscan|synchronous_commit)', 'off', true\)/,
  /^select pg_current_snapshot\(\)::text as snapshot, age\([^,]*\) as ahead, pg_postmaster_start_time\(\)::text as server, (?:array\(|null::uuid)/,
  /^select w\.id, w\.organization_id, o\.maker_id, w\.kinds, w\.place/,
  /^select id from webhook where failing_since is not null/,
  // secrets under an earlier key, and organizations that are to be deleted
  /^select id, webhook_id, sealed from webhook_secret/,
  /^select id,\s*deleted_at < now\(\)/,
  /^select from organization where deleted_at is not null limit 1$/,
];

const isOfItself = (text: string) => {
  const plain = text.trim().replaceAll('"', '').replaceAll(/\s+/g, ' ');
  return ofItself.some((beginning) => beginning.test(plain));
};

/** A statement as it goes over the wire. */
export interface Sent {
  text: string;
  values: unknown[];
}

/**
 * Runs `fn` and tells which statements were sent to PostgreSQL meanwhile, in their order and as they go over the wire:
 * past the ORM's log, so nothing escapes it. Statements that begin and end transactions are left out, and so is what
 * the service does by itself.
 */
export async function countStatements<Result>(orm: Orm, fn: () => Promise<Result>) {
  const { result, sent } = await executedOnce(() => record(orm, fn));
  return { result, statements: sent.map(({ text }) => text) };
}

async function record<Result>(orm: Orm, fn: () => Promise<Result>) {
  const pool: Pool = await orm.driver.getConnection().getNativeClient();
  const sent: Sent[] = [];
  const stop = listenTo(pool, (text, values) => {
    if (!framing.test(text) && !isOfItself(text)) sent.push({ text, values });
  });
  try {
    return { result: await fn(), sent };
  } finally {
    stop();
  }
}

/** Tells each statement that the connections of a pool send from now on; the function that is returned ends that. */
export function listenTo(pool: Pool, tell: (text: string, values: unknown[]) => void): () => void {
  const wrapped = new Map<PoolClient, PoolClient['query']>();
  const wrap = (client: PoolClient) => {
    if (wrapped.has(client)) return;
    const query = client.query;
    wrapped.set(client, query);
    const telling = function (this: PoolClient, ...args: unknown[]) {
      const { values } = args[0] as { values?: unknown[] };
      tell(statementText(args[0]), values ?? args.find(Array.isArray) ?? []);
      return Reflect.apply(query, this, args);
    };
    client.query = telling as PoolClient['query'];
  };
  // clients that are idle now are announced by `acquire` when they are used, new ones as well
  pool.on('acquire', wrap);
  return () => {
    pool.off('acquire', wrap);
    for (const [client, query] of wrapped) client.query = query;
  };
}

function statementText(query: unknown): string {
  if (typeof query === 'string') return query;
  if (typeof query === 'object' && query !== null) {
    if ('text' in query && typeof query.text === 'string') return query.text;
    // pg-cursor
    if ('cursor' in query && typeof query.cursor === 'object') return String((query.cursor as { text?: string }).text);
  }
  return String(query);
}

/** What a session may do is remembered for five seconds, which may be over at any time. */
const access = /^select session\.user_id, m\.organization_id, m\.role, o\.maker_id from session /;

/** Like {@link countStatements}, with the values, and without the statement that finds what the session may do. */
export async function recordReads<Result>(orm: Orm, fn: () => Promise<Result>) {
  const { result, sent } = await executedOnce(() => record(orm, fn));
  return { result, sent: sent.filter(({ text }) => !access.test(text.replaceAll('"', ''))) };
}

/** The texts of {@link recordReads}. */
export async function countReads<Result>(orm: Orm, fn: () => Promise<Result>) {
  const { result, sent } = await recordReads(orm, fn);
  return { result, statements: sent.map(({ text }) => text) };
}
