import { randomUUIDv7 } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { readSettings } from '../../src/config/settings.ts';
import { ensureDemo } from '../../src/db/demo/demo.ts';
import { endAllSessions } from '../../src/domain/session/end-all-sessions.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { runCommand } from '../support/command.ts';
import { ask, openOrm } from '../support/database.ts';
import { useEveryOperation } from '../support/every-operation.ts';
import { exampleUrl } from '../support/examples/tell-story.ts';
import { startPostgres } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { shared, sharedFolder } from '../support/shared.ts';
import { allowLoopback } from '../support/webhooks.ts';

const dataDir = await sharedFolder();
const cluster = await shared(startPostgres({ dataDir, serverSettings: { fsync: 'off', shared_buffers: '64MB' } }));
const urls = { owner: '', service: '' };
await runFile('roles.sql');
for (const role of ['owner', 'service'] as const) {
  await ask(superuserUrl('events'), `alter role events_${role} password 'of-${role}'`);
  const url = new URL(superuserUrl('events'));
  Object.assign(url, { username: `events_${role}`, password: `of-${role}` });
  urls[role] = url.href;
}

function superuserUrl(database: string): string {
  const url = new URL(cluster.superuserUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs a file of `ops/postgres` as psql does: statement by statement, and following `\connect`. */
async function runFile(name: string, database = 'postgres'): Promise<void> {
  const text = await readFile(path.join('ops/postgres', name), 'utf8');
  for (const part of text.replaceAll(/^--.*$/gm, '').split(/(?<=;)\s|(?<=^\\connect \w+)\n/m)) {
    const [, other] = /^\\connect (\w+)$/.exec(part.trim()) ?? [];
    if (other) database = other;
    else if (part.trim()) await ask(superuserUrl(database), part);
  }
}

describe('a database with two roles', () => {
  it('is migrated by the one; the other says that it may not', async () => {
    const refused = await runCommand('migrate', [], { DATABASE_URL: urls.service });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('the role events_service may not run them. Run the command `migrate`');
    const migrated = await runCommand('migrate', [], { DATABASE_URL: urls.owner });
    expect(migrated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Migrated: /) });
    await runFile('after-first-migration.sql', 'events');
    const again = await runCommand('migrate', [], { DATABASE_URL: urls.service });
    expect(again).toEqual({ code: 0, stdout: 'The database is up to date.\n', stderr: '' });
    const file = path.join(dataDir, 'rows.json');
    await writeFile(
      file,
      JSON.stringify({ users: [{ id: randomUUIDv7(), name: 'Imported', email: 'imported@example.org' }] }),
    );
    expect(await runCommand('import', [file], { DATABASE_URL: urls.owner })).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    'create table mine (id uuid)',
    'create temporary table mine (id uuid)',
    'create schema mine',
    'create function mine() returns int language sql return 1',
    'alter table event add column mine text',
    'alter table event disable trigger all',
    'drop table event',
    'truncate event',
    'create index on event (name)',
    'create extension hstore',
    `insert into mikro_orm_migrations (name) values ('mine')`,
    'delete from mikro_orm_migrations',
    'create role mine',
    'set role events_owner',
    `copy event to program 'true'`,
    'select pg_read_file(current_setting($$data_directory$$) || $$/PG_VERSION$$)',
  ])('keeps the service from `%s`', async (statement) => {
    // insufficient_privilege
    await expect(ask(urls.service, statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('lets nobody else in', async () => {
    await ask(superuserUrl('events'), `create role stranger login password 'of-stranger'`);
    const url = new URL(urls.service);
    Object.assign(url, { username: 'stranger', password: 'of-stranger' });
    await expect(ask(url.href, 'select 1')).rejects.toThrow('permission denied for database');
  });
});

describe('the service as the other role', () => {
  /** What PostgreSQL refused meanwhile. */
  const denied = async () =>
    (await readFile(path.join(dataDir, 'postgres', 'server.log'), 'utf8'))
      .split('\n')
      .filter((line) => /permission denied|must be owner/.test(line)).length;
  let before: number;
  let server: TestServer;

  beforeAll(async () => {
    const owner = await openOrm({ url: urls.owner });
    await ensureDemo(owner.orm);
    await owner.close();
    before = await denied();
    // by the statements above
    expect(before).toBeGreaterThan(10);
    const env = { ...allowLoopback, PUBLIC_URL: exampleUrl, RATE_LIMIT: 'on' };
    server = await startTestServer({ databaseUrl: urls.service, env });
    return () => server.close();
  });

  it('serves every operation', () => useEveryOperation(server));

  it('sweeps, and serves the commands of operators', async () => {
    const db = new PostgresDatabase(server.orm);
    const { retentionDays } = readSettings({ NODE_ENV: 'test' }).bounds;
    expect(await sweep(db, { retentionDays })).toEqual([]);
    for (const [name, args] of Object.entries({ admin: ['users', 'list'], export: [] })) {
      expect(await runCommand(name, args, { DATABASE_URL: urls.service })).toMatchObject({ code: 0 });
    }
    const client = { ip: null, userAgent: null, requestId: randomUUIDv7() };
    expect(await endAllSessions({ db, client }, ['cookie_secrets'])).toBeGreaterThan(0);
  });

  it('was refused nothing', async () => {
    expect(await denied()).toBe(before);
    expect(server.logLines.filter((line) => line.includes('42501'))).toEqual([]);
  });
});
