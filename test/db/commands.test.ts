import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { startEmbedded } from '../../src/db/embedded.ts';
import { runCommand as command } from '../support/command.ts';
import { ask, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { organization } from '../support/import.ts';
import { folderInTest, inTest, shared } from '../support/shared.ts';

let dir: string;
beforeEach(async () => {
  dir = await folderInTest();
});

const database = await shared(createTestDatabase());

/** Imports a document from a file by its path from where npm was called. */
async function importFile(document: object, env: Record<string, string> = { DATABASE_URL: database.url }) {
  await writeFile(path.join(dir, 'rows.json'), JSON.stringify(document));
  return await command('import', ['rows.json'], { ...env, INIT_CWD: dir });
}

describe('a command on DATABASE_URL', () => {
  test('db:import takes a file by its path from where npm was called, and tells what it wrote', async () => {
    const outcome = await importFile({ organizations: [organization] });
    expect(outcome).toEqual({ code: 0, stdout: 'Imported 1 organizations.\n', stderr: '' });
  });

  test('db:import lets the planner know what it wrote', async () => {
    const users = [{ id: '0192aaaa-0000-7000-8000-0000000000c1', email: 'planner@example.org', name: 'Ada' }];
    const known = () => database.execute(`select last_analyze from pg_stat_user_tables where relname = 'user'`);
    const [before] = await known();
    await importFile({ users });
    await expect.poll(async () => (await known())[0]).not.toEqual(before);
  });

  test('db:import tells faults on stderr, one a line, and exits with 1', async () => {
    const outcome = await importFile({ organizations: [{}], users: 1 });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr.split('\n')).toEqual([
      ...['/organizations/0/id: is missing', '/organizations/0/name: is missing', '/users: must be a list'],
      ...['Nothing was imported: 3 faults.', ''],
    ]);
  });

  test.each([
    ['no file', [], /Usage/],
    ['a file that is not there', ['nowhere.json'], /cannot be read.*nowhere\.json/],
  ])('db:import exits with 1 for %s', async (_, args, reason) => {
    const outcome = await command('import', args, { DATABASE_URL: database.url, INIT_CWD: dir });
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) });
  });
});

const counts = ['--organizations', '2', '--users', '20', '--events', '20', '--subscriptions', '50', '--seed', '4'];

describe('made-up data', () => {
  const makers: [string, string[]][] = [
    ['demo', []],
    ['generate', counts],
  ];
  let database: TestDatabase;
  let env: Record<string, string>;
  beforeEach(async () => {
    database = await inTest(createTestDatabase());
    env = { DATABASE_URL: database.url };
  });

  const countOrganizations = async () => (await database.execute('select from organization')).length;

  test('db:migrate, db:demo and db:generate do what they say, once', async () => {
    expect(await command('migrate', [], env)).toEqual({ code: 0, stdout: 'The database is up to date.\n', stderr: '' });
    expect((await command('demo', [], env)).stdout).toMatch(/owner +owner@demo\.example +demo-events-2468/);
    expect((await command('generate', counts, env)).stdout).toMatch(/owner +user-1@seed-4\.example +\S+/);
    for (const [name, args, reason] of [
      ['demo', [], /^The demo organization already exists\.\n$/],
      ['generate', counts, /seed 4 already exist/],
      ['generate', ['--events', '2e3'], /--events must be/],
    ] as const) {
      const refused = { code: 1, stderr: expect.stringMatching(reason) };
      expect(await command(name, [...args], env)).toMatchObject(refused);
    }
    expect(await countOrganizations()).toBe(4);
  });

  test.each(makers)(
    'db:%s refuses to write in production unless forced, and then tells a password of its own',
    async (name, args) => {
      const production = { ...env, NODE_ENV: 'production' };
      expect(await command(name, args, production)).toMatchObject({
        ...{ code: 1, stdout: '' },
        stderr: expect.stringMatching(/^NODE_ENV is production.*--force/),
      });
      expect(await countOrganizations()).toBe(0);
      const { code, stdout } = await command(name, [...args, '--force'], production);
      expect([code, await countOrganizations()]).toEqual([0, 2]);
      expect(stdout).toMatch(/owner +\S+@\S+ +\S{16}$/m);
      expect(stdout).not.toContain('events-2468');
    },
  );

  test.each(makers)('db:%s refuses to write beside the data of others, unless forced', async (name, args) => {
    await database.execute(`insert into organization (id, name, slug) values (gen_random_uuid(), 'Mine', 'mine')`);
    expect(await command(name, args, env)).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(/^The database already has organizations.*--force/),
    });
    expect(await countOrganizations()).toBe(1);
    expect(await command(name, [...args, '--force'], env)).toMatchObject({ code: 0 });
    expect(await countOrganizations()).toBe(3);
  });

  test.each(['demo', 'generate'])('db:%s explains an invalid file', async (name) => {
    const { code, stderr } = await command(name, ['--yes'], env);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Usage: npm run db:/)]);
    expect(await countOrganizations()).toBe(0);
  });
});

test('db:import and admin work on the embedded database while the service uses it, and after', async () => {
  const service = await startEmbedded(dir);
  try {
    const imported = () => importFile({ organizations: [organization] }, { DATA_DIR: dir });
    expect(await imported()).toMatchObject({ code: 0 });
    expect(await ask(service.url, 'select name from organization')).toEqual([{ name: organization.name }]);
    const listed = await command('admin', ['organizations', 'list', '--json'], { DATA_DIR: dir });
    expect(JSON.parse(listed.stdout)).toMatchObject([organization]);
    await service.stop();
    expect(await imported()).toMatchObject({ code: 0 });
    expect((await command('admin', ['organizations', 'list'], { DATA_DIR: dir })).stdout).toContain(organization.name);
  } finally {
    await (await startEmbedded(dir)).stop();
  }
});
