import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type { Pool as PgPool } from 'pg';
import type { LogData } from '../changes.ts';

/** The limit for pages of the log: plain `node:http` and one named statement per page, whose JSON PostgreSQL builds. No rules. */
const { Pool } = createRequire(import.meta.url)('pg') as { Pool: new (options: object) => PgPool };
const { url, organization, member, middle, end } = JSON.parse(process.argv[2] as string) as LogData;
const pool = new Pool({ connectionString: url, max: availableParallelism() * 2 });

const json = (
  op: string,
) => `json_build_object('id', t.id, 'kind', t.kind, 'op', t.${op}, 'object_id', t.object_id, 'event_id', t.event_id,
  'version', t.version, 'actor_id', t.actor_id,
  'occurred_at', to_char(t.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
const page = (rows: string, op = 'op') =>
  `select json_build_object('items', coalesce(json_agg(${json(op)}), '[]'), 'length', count(*), 'has_more', true)::text as body
    from (${rows} order by seq limit 50) t`;
const part = (condition: string) =>
  `(select * from change where organization_id = $1 and seq > $2 and ${condition} order by user_id, seq limit 50)`;
const seen = ['event', 'form', 'subscription'].map((kind) =>
  part(`user_id is null and kind = '${kind}' and member_op is not null`),
);

const all = page('select * from change where organization_id = $1 and seq > $2 and op is not null');
const statements: Record<string, { name: string; text: string; values: unknown[] }> = {
  '/all': { name: 'all', text: all, values: [organization, middle.seq] },
  '/none': { name: 'all', text: all, values: [organization, end.seq] },
  '/forms': {
    name: 'forms',
    text: page(`select * from change where organization_id = $1 and kind = 'form' and seq > $2 and op is not null`),
    values: [organization, middle.seq],
  },
  '/member': {
    name: 'member',
    text: page(
      `select * from (${[...seen, part(`user_id = $3 and kind = 'subscription' and member_op is not null`)].join(' union all ')}) parts`,
      'member_op',
    ),
    values: [organization, middle.seq, member],
  },
};

const server = createServer((request, response) => {
  pool.query(statements[request.url ?? ''] as (typeof statements)[string]).then(
    (result: { rows: { body: string }[] }) => {
      const body = result.rows[0]?.body ?? '';
      const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      response.writeHead(200, head).end(body);
    },
    (error: Error) => {
      console.error(error.message);
      response.writeHead(500).end();
    },
  );
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
process.on('disconnect', () => process.exit(0));
