import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type { Pool as PgPool } from 'pg';
import type { BenchData } from '../database.ts';

/**
 * The limit: plain `node:http` and one named statement per response, whose JSON PostgreSQL builds itself. No authentication,
 * no parsing, no rules: a server that sends the same bytes from the same rows can hardly do less.
 */
const { Pool } = createRequire(import.meta.url)('pg') as { Pool: new (options: object) => PgPool };
const { url, organization, hot, deep, range, rare } = JSON.parse(process.argv[2] as string) as BenchData;
const pool = new Pool({ connectionString: url, max: availableParallelism() * 2 });

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const eventJson = `json_build_object('id', t.id, 'name', t.name, 'slug', t.slug, 'description', t.description, 'status', t.status,
  'date_start', ${iso('t.date_start')}, 'date_end', ${iso('t.date_end')}, 'timezone', t.timezone, 'location', t.location,
  'capacity', t.capacity, 'visibility', t.visibility, 'registration', t.registration, 'accepted_count', t.accepted_count,
  'created_at', ${iso('t.created_at')}, 'updated_at', ${iso('t.updated_at')})`;
const subscriptionJson = `json_build_object('id', t.id, 'event_id', t.event_id, 'user_id', t.user_id, 'status', t.status, 'answers', t.answers,
  'checked_in_at', ${iso('t.checked_in_at')}, 'created_at', ${iso('t.created_at')}, 'updated_at', ${iso('t.updated_at')},
  'user', json_build_object('id', u.id, 'name', u.name, 'avatar_url', u.avatar_url, 'email', u.email))`;
const envelope = (json: string, from: string) =>
  `select json_build_object('items', coalesce(json_agg(${json}), '[]'), 'length', count(*), 'has_more', true)::text as body from ${from}`;
const page = (condition: string) =>
  envelope(
    eventJson,
    `(select * from event where organization_id = $1 and ${condition} order by date_start, id limit 20) t`,
  );
const subscribers = envelope(
  subscriptionJson,
  `(select * from subscription where event_id = $1 order by created_at, id limit 50) t join "user" u on u.id = t.user_id`,
);
const nested = (
  condition: string,
) => `select json_build_object('items', json_agg(json_build_object('id', t.id, 'name', t.name, 'subscriptions', s.list)))::text as body
  from (select * from event where organization_id = $1 and ${condition} order by date_start, id limit 20) t cross join lateral (
    select coalesce(json_agg(json_build_object('id', x.id, 'status', x.status, 'user', json_build_object('id', u.id, 'name', u.name))), '[]') as list
    from (select * from subscription where event_id = t.id order by created_at, id limit 5) x join "user" u on u.id = x.user_id) s`;

const beyond = '(date_start, id) > ($2, $3)';

const statements: Record<string, { name: string; text: string; values: unknown[] }> = {
  '/q1': { name: 'q1', text: page('true'), values: [organization] },
  '/q2': { name: 'q2', text: page(beyond), values: [organization, deep.time, deep.id] },
  '/q3': { name: 'q3', text: subscribers, values: [hot.id] },
  '/q4': {
    name: 'q4',
    text: 'select count(*)::text as body from event where organization_id = $1 and status = 1 and date_start >= $2 and date_start < $3',
    values: [organization, range.from, range.to],
  },
  // planned for each pattern, since a generic plan does not take the pattern into account
  '/q5': { name: '', text: page('lower(name) like $2'), values: [organization, '%workshop%'] },
  '/q6': { name: 'q6', text: nested('true'), values: [organization] },
  '/h6': { name: 'h6', text: nested(beyond), values: [organization, hot.before.time, hot.before.id] },
  '/s1': {
    name: '',
    text: page('lower(name) like $2 and name_grams(name) @> array[$3]'),
    values: [organization, `%${rare}%`, rare],
  },
  '/s2': {
    name: 's2',
    text: 'select count(*)::text as body from (select from event where organization_id = $1 limit 1001) t',
    values: [organization],
  },
  '/s3': {
    name: 's3',
    text: 'select count(*)::text as body from event where organization_id = $1',
    values: [organization],
  },
};

const server = createServer((request, response) => {
  const statement = statements[request.url ?? ''];
  if (!statement) {
    response.writeHead(404).end();
    return;
  }
  pool.query(statement).then(
    (result: { rows: { body: string }[] }) => {
      const body = result.rows[0]?.body ?? '';
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body);
    },
    (error: Error) => {
      console.error(error.message);
      response.writeHead(500).end();
    },
  );
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
process.on('disconnect', () => process.exit(0));
