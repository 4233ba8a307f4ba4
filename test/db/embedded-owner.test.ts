import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EmbeddedServer } from '#embedded-postgres';
import { withClient } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startPostgres } from '../support/postgres.ts';

let dataDir: string;
let server: EmbeddedServer;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'events-gateway-owner-'));
  await chmod(dataDir, 0o755);
  server = await start();
}, 60_000);
afterEach(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function start(): Promise<EmbeddedServer> {
  return startPostgres({ dataDir, serverSettings: { fsync: 'off', shared_buffers: '16MB' } });
}

function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => (await client.query<Record<string, unknown>>(statement)).rows);
}

/** All relations and routines of the service, by their owner; extensions stay with whoever made them. */
const owners = `
  select pg_get_userbyid(owner) as owner, count(*)::int > 10 as many from (
    select relowner as owner, oid from pg_class where relnamespace = 'public'::regnamespace
    union all select proowner, oid from pg_proc where pronamespace = 'public'::regnamespace
  ) as object where not exists (select from pg_depend where objid = object.oid and deptype = 'e') group by 1`;

describe('the role of the embedded database', () => {
  test('owns its database, and is nothing else on the server', async () => {
    await migrate(server.url);
    const [role] = await query(
      server.url,
      `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, pg_get_userbyid(datdba) as owner,
        (select count(*)::int from pg_auth_members where member = pg_roles.oid) as memberships
        from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    );
    const may = {
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
    };
    expect(role).toEqual({ rolname: 'events_gateway', ...may, owner: 'events_gateway', memberships: 0 });
    await expect(query(server.url, `select pg_read_file('postgresql.conf')`)).rejects.toThrow(/permission denied/);
    await expect(query(server.url, `copy organization from program 'true'`)).rejects.toThrow(/permission denied/);
    expect(await query(server.url, owners)).toEqual([{ owner: 'events_gateway', many: true }]);
  });

  test('is the only one that stays connected', async () => {
    const users = `select distinct usename from pg_stat_activity where datid is not null and usesysid is not null and pid <> pg_backend_pid()`;
    await expect
      .poll(() => query(server.superuserUrl, users), { timeout: 5_000 })
      .toEqual([{ usename: 'events_gateway' }]);
  });
});
