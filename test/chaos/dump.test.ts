import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedServer } from '#embedded-postgres';
import { withClient } from '../../src/db/client.ts';
import { ensureDemo } from '../../src/db/demo/demo.ts';
import { migrate } from '../../src/db/migrate.ts';
import { changesPage } from '../support/changes.ts';
import { type ChildService, startChildService } from '../support/child-service.ts';
import { runCommand } from '../support/command.ts';
import { ask, openOrm } from '../support/database.ts';
import { useEveryOperation } from '../support/every-operation.ts';
import { exampleUrl } from '../support/examples/tell-story.ts';
import { restoreCommands, runBlock } from '../support/operation-guide.ts';
import { postgresMajor, startPostgres } from '../support/postgres.ts';
import { findPrograms, lacks } from '../support/programs.ts';
import { callerHeaders, expectCode, send } from '../support/send.ts';
import { isAccepted, type Person, serveInTest, signIn } from '../support/server.ts';
import { shared, sharedFolder } from '../support/shared.ts';
import { allowLoopback } from '../support/webhooks.ts';
import { addMember, Journal, startWriters, verify } from './writers.ts';

// Dumps that are restored into other clusters (docs/operate/backup-and-restore.md): one that is taken while events are written, into a
// cluster that has seen fewer transactions, and one of a database with two roles.

const [dumping = '', restoring = ''] = restoreCommands('From a dump');
const [making = '', restoringRoles = ''] = restoreCommands('From a dump with two roles');
/** The folder of the programs of the server's version, which npm does not bring: older ones refuse the server, and Debian's wrappers choose one. */
const programs =
  [...findPrograms('pg_dump'), `/usr/lib/postgresql/${postgresMajor}/bin/pg_dump`]
    .map((found) => path.dirname(found))
    .find((folder) => ['pg_dump', 'pg_restore', 'psql'].every((name) => isOfServer(path.join(folder, name)))) ?? null;
const skipped = lacks('pg_dump', programs);

function isOfServer(program: string): boolean {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return new RegExp(`\\(PostgreSQL\\) ${postgresMajor}\\.`).test(stdout ?? '');
}

// before the clusters in it, so that it outlives them
const dir = await sharedFolder();
const run = (block: string, urls: Record<string, string>) =>
  runBlock(block, { '/backups': dir }, { PATH: [programs, process.env.PATH].join(path.delimiter), ...urls });
const startCluster = (name: string, serverSettings: Record<string, string>) =>
  shared(startPostgres({ dataDir: path.join(dir, name), serverSettings: { fsync: 'off', ...serverSettings } }));

let urls: { former: string; restored: string };
let service: ChildService;
let owner: Person;
/** What was acknowledged before the dump began, and all that was ever asked for. */
const journal = new Journal();
/** Cursors from the former cluster, by what they know. */
const cursors = { quiet: [] as string[], waiting: '', after: '' };
let printed = '';

const serve = (url: string) => shared(startChildService({ DATABASE_URL: url, DATA_DIR: dir, RATE_LIMIT: 'off' }));

async function readToEnd(token: string): Promise<{ next: string; ids: string[] }> {
  const ids: string[] = [];
  while (true) {
    const { status, body, text } = await changesPage(service, owner, token ? `token=${token}` : 'since=start');
    expect(status, text).toBe(200);
    ids.push(...body.items.map(({ id }) => id));
    token = body.next;
    if (!body.has_more) return { next: token, ids };
  }
}

async function create(name: string): Promise<string> {
  const fields = { name, date_start: '2127-05-05T17:00:00Z', date_end: '2127-05-05T19:00:00Z' };
  const made = await send<{ id: string }>(service, owner, 'POST /events', fields);
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

/** A cursor that waits for a change, which is committed afterwards. */
async function takeWaiting(): Promise<string> {
  return await withClient(urls.former, async (open) => {
    await open.query('begin');
    await open.query(
      `insert into change (organization_id, x, id, kind, op, object_id, event_id, occurred_at)
        values ($1, pg_current_xact_id(), gen_random_uuid(), 'event', 'changed', $2, $2, now())`,
      [owner.organizationId, await create('Held')],
    );
    await create('Above it');
    const { next } = await readToEnd('');
    await open.query('commit');
    return next;
  });
}

async function prepare(): Promise<void> {
  // transactions of the server itself would be among those that a cursor waits for
  const settings = { shared_buffers: '32MB', autovacuum: 'off' };
  const [former, restored] = [await startCluster('former', settings), await startCluster('restored', settings)];
  urls = { former: former.url, restored: restored.url };
  await migrate(urls.former);
  await ask(urls.former, 'do $$ begin for n in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$');
  const member = await addMember(urls.former);
  service = await serve(urls.former);
  owner = { ...member, ...(await signIn(service.url, member.email)), userId: member.id, membershipId: '' };
  cursors.waiting = await takeWaiting();
  for (let count = 0; count < 10; count += 1) {
    cursors.quiet.push((await readToEnd('')).next);
    await sleep(50);
  }
}

async function dumpAndRestore(): Promise<void> {
  await prepare();
  const known = new Journal();
  const headers = callerHeaders(owner);
  const writers = startWriters(known, service.url, () => headers);
  while (known.events.size <= 20) await sleep(20);
  for (const [id, event] of known.events) journal.events.set(id, { ...event });
  await run(dumping, { OWNER: urls.former });
  const atEnd = known.events.size;
  while (known.events.size <= atEnd + 5) await sleep(20);
  await writers.stop();
  for (const name of known.asked) journal.asked.add(name);
  expect(known.strange).toEqual([]);
  cursors.after = (await readToEnd('')).next;
  await ask(urls.former, `insert into last_write select id, 'FFFF/0', now() from "user"`);
  await service.kill();
  printed = await run(restoring, { NEW_DATABASE_URL: urls.restored });
  service = await serve(urls.restored);
}

describe.skipIf(skipped)('a dump that was taken while events were written', () => {
  beforeAll(dumpAndRestore);

  it('has all that was acknowledged before it, each change whole', async () => {
    expect(await verify(journal, urls.restored)).toEqual([]);
    expect(await isAccepted(service.url, owner.accessToken)).toBe(true);
  });

  it('has changes of transactions that the other cluster has yet to reach', () => {
    const [, changes] = /; (\d+) changes came from another cluster\.$/.exec(printed.trim()) ?? [];
    expect(Number(changes)).toBeGreaterThan(20);
  });

  it('lets cursors go on that waited for nothing, and tells of everything since', async () => {
    const all = (await readToEnd('')).ids;
    const outcomes: string[][] = [];
    for (const token of cursors.quiet) {
      if ((await changesPage(service, owner, `token=${token}`)).status === 200)
        outcomes.push((await readToEnd(token)).ids);
    }
    // any of them may wait for a transaction of a job
    expect(outcomes.length).toBeGreaterThan(0);
    for (const ids of outcomes) expect(ids).toEqual(all.slice(all.length - ids.length));
    expect(new Set(outcomes.map(({ length }) => length)).size).toBe(1);
  });

  it('ends cursors that waited for a change, and those that know more', async () => {
    for (const token of [cursors.waiting, cursors.after]) {
      expectCode(await changesPage(service, owner, `token=${token}`), 410, 'CURSOR_EXPIRED');
    }
  });

  it('goes on: what is written now is told once, after what is there', async () => {
    const { next } = await readToEnd('');
    const ids = [await create('Later'), await create('Latest')];
    const { body } = await changesPage(service, owner, `token=${next}`);
    expect(body.items.map(({ object_id }) => object_id)).toEqual(ids);
    expect((await readToEnd(body.next)).ids).toEqual([]);
  });

  it('keeps nobody from replicas by positions of the other log', async () => {
    expect(await ask(urls.restored, 'select from last_write')).toEqual([]);
  });
});

type Role = 'owner' | 'service';
const servers: EmbeddedServer[] = [];

function urlAs(server: EmbeddedServer | undefined, role: Role | null, name = 'events'): string {
  const url = new URL(server?.superuserUrl ?? '');
  url.pathname = `/${name}`;
  if (role) Object.assign(url, { username: `events_${role}`, password: `of-${role}` });
  return url.href;
}

/** A cluster with the roles and an empty database, as the guide makes them. */
async function startWithRoles(name: string): Promise<EmbeddedServer> {
  const server = await startCluster(name, {});
  servers.push(server);
  await run(making, { NEW_SUPERUSER_URL: urlAs(server, null, 'postgres') });
  for (const role of ['owner', 'service']) {
    await ask(urlAs(server, null), `alter role events_${role} password 'of-${role}'`);
  }
  return server;
}

describe.skipIf(skipped)('a dump of a database with two roles', () => {
  const url = (role: Role) => urlAs(servers[1], role);
  beforeAll(async () => {
    const former = await startWithRoles('former-with-roles');
    expect(await runCommand('migrate', [], { DATABASE_URL: urlAs(former, 'owner') })).toMatchObject({ code: 0 });
    await ask(urlAs(former, null), 'revoke insert, update, delete on mikro_orm_migrations from events_service');
    const { orm, close } = await openOrm({ url: urlAs(former, 'service') });
    await ensureDemo(orm);
    await close();
    await run(dumping, { OWNER: urlAs(former, 'owner') });
    const restored = await startWithRoles('restored-with-roles');
    await run(restoringRoles, { NEW_DATABASE_URL: urlAs(restored, null) });
  });

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
