import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type { Pool as PgPool } from 'pg';
import type { PublicData } from '../public.ts';

/** The limit for public data: plain `node:http` and one named statement per response. No rules. */
const { Pool } = createRequire(import.meta.url)('pg') as { Pool: new (options: object) => PgPool };
const { url, organization, event, pageBytes } = JSON.parse(process.argv[2] as string) as PublicData;
const pool = new Pool({ connectionString: url, max: availableParallelism() * 2 });

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const json = `json_build_object('id', t.id, 'name', t.name, 'slug', t.slug, 'description', t.description, 'status', t.status,
  'date_start', ${iso('t.date_start')}, 'date_end', ${iso('t.date_end')}, 'timezone', t.timezone, 'location', t.location,
  'registration', t.registration, 'updated_at', ${iso('t.updated_at')})`;
const visible = `visibility = 'public' and status in (1, 2)`;

const statements: Record<string, { name: string; text: string; values: unknown[] }> = {
  '/list': {
    name: 'list',
    text: `select json_build_object('items', coalesce(json_agg(${json}), '[]'), 'length', count(*), 'has_more', true)::text as body
      from (select * from event where organization_id = $1 and ${visible} order by date_start, id limit 20) t`,
    values: [organization],
  },
  '/page': {
    name: 'page',
    text: `select ${json}::text as body from event t where organization_id = $1 and slug = $2 and ${visible}`,
    values: [organization, event],
  },
  '/known': {
    name: 'known',
    text: 'select revision::text as body from public_revision where organization_id = $1',
    values: [organization],
  },
};
/** Pads the row to the size of the service's page. */
const around = 'x'.repeat(pageBytes);

const server = createServer((request, response) => {
  const path = request.url ?? '';
  pool.query(statements[path] as (typeof statements)[string]).then(
    (result: { rows: { body: string }[] }) => {
      const found = result.rows[0]?.body ?? '';
      const body = path === '/page' ? found + around.slice(found.length) : found;
      const type = path === '/page' ? 'text/html' : 'application/json';
      if (path === '/known') response.writeHead(304).end();
      else response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
    },
    (error: Error) => {
      console.error(error.message);
      response.writeHead(500).end();
    },
  );
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
process.on('disconnect', () => process.exit(0));
