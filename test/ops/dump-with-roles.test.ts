import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedServer } from '#embedded-postgres';
import { ensureDemo } from '../../src/db/demo/demo.ts';
import { createOrm } from '../../src/db/orm.ts';
import { runCommand } from '../support/command.ts';
import { ask } from '../support/database.ts';
import { dumpPath, dumpPrograms } from '../support/dump-programs.ts';
import { useEveryOperation } from '../support/every-operation.ts';
import { exampleUrl } from '../support/examples/tell-story.ts';
import { restoreCommands, runBlock } from '../support/operation-guide.ts';
import { startPostgres } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import { serveInTest } from '../support/server.ts';
import { shared, sharedFolder } from '../support/shared.ts';
import { allowLoopback } from '../support/webhooks.ts';

// A dump of a database with two roles, restored into another cluster (docs/operate/backup-and-restore.md).

const [dumping = ''] = restoreCommands('From a dump');
const [making = '', restoring = ''] = restoreCommands('From a dump with two roles');
type Role = 'owner' | 'service';

let dir: string;
const servers: EmbeddedServer[] = [];

function urlAs(server: EmbeddedServer | undefined, role: Role | null, name = 'events'): string {
  const url = new URL(server?.superuserUrl ?? '');
  url.pathname = `/${name}`;
  if (role) Object.assign(url, { username: `events_${role}`, password: `of-${role}` });
  return url.href;
}

const run = (block: string, urls: Record<string, string>) =>
  runBlock(block, { '/backups': dir }, { PATH: dumpPath, ...urls });

/** A cluster with the roles and an empty database, as the guide makes them. */
async function startCluster(name: string): Promise<EmbeddedServer> {
  const server = await shared(startPostgres({ dataDir: path.join(dir, name), serverSettings: { fsync: 'off' } }));
  servers.push(server);
  await run(making, { NEW_SUPERUSER_URL: urlAs(server, null, 'postgres') });
  for (const role of ['owner', 'service']) {
    await ask(urlAs(server, null), `alter role events_${role} password 'of-${role}'`);
  }
  return server;
}

const skipped = lacks('pg_dump', dumpPrograms);
beforeAll(async () => {
  if (skipped) return;
  // before the clusters in it, so that it outlives them
  dir = await sharedFolder();
  const former = await startCluster('former');
  expect(await runCommand('migrate', [], { DATABASE_URL: urlAs(former, 'owner') })).toMatchObject({ code: 0 });
  await ask(urlAs(former, null), 'revoke insert, update, delete on mikro_orm_migrations from events_service');
  const orm = await createOrm({ url: urlAs(former, 'service') });
  await ensureDemo(orm);
  await orm.close(true);
  await run(dumping, { OWNER: urlAs(former, 'owner') });
  const restored = await startCluster('restored');
  await run(restoring, { NEW_DATABASE_URL: urlAs(restored, null) });
});

describe.skipIf(skipped)('a dump of a database with two roles', () => {
  const url = (role: Role) => urlAs(servers[1], role);

  it('keeps who owns what, and who may do what with it', async () => {
    const rights = `select relname, relowner::regrole::text as owner, relacl::text[] as rights from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'S') order by 1`;
    const [former, restored] = await Promise.all(servers.map((server) => ask(urlAs(server, null), rights)));
    expect(restored).toEqual(former);
    expect(former?.length).toBeGreaterThan(20);
    expect(await runCommand('migrate', [], { DATABASE_URL: url('service') })).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: 'The database is up to date.\n',
    });
    await expect(ask(url('service'), 'delete from mikro_orm_migrations')).rejects.toThrow('permission denied');
    await expect(ask(url('service'), 'drop table event')).rejects.toThrow('must be owner');
    // what later migrations make is the service's, too
    await ask(url('owner'), 'create table later (id int)');
    expect(await ask(url('service'), 'select from later')).toEqual([]);
  });

  it('is settled and served by the role of the service', async () => {
    const settled = await runCommand('admin', ['database', 'restored', '--json'], { DATABASE_URL: url('service') });
    expect(settled).toMatchObject({ code: 0, stderr: '' });
    const env = { ...allowLoopback, PUBLIC_URL: exampleUrl };
    await useEveryOperation(await serveInTest({ databaseUrl: url('service'), env }));
  });
});
