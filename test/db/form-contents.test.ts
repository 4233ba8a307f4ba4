import { afterEach, beforeEach, expect, test } from 'vitest';
import { PostgresDatabase } from '../../src/db/access/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { insertEvent, insertOrganization } from '../support/fixtures.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let orm: Orm;

beforeEach(async () => {
  database = await createEmptyDatabase();
  orm = await createOrm({ url: database.url });
  await migrate(database.url);
});

afterEach(async () => {
  await orm.close(true);
  await database.drop();
});

const run = <Row>(sql: string, values: unknown[] = []) => orm.em.fork().execute<Row[]>(sql, values);
const questions = (label: string) => JSON.stringify([{ key: 'meal', type: 'text', label }]);

/** As the version before writes and reads forms. */
const insertForm = (event: string, version: number, label: string) =>
  run('insert into event_form (event_id, version, questions, created_at) values (?, ?, ?, now())', [
    ...[event, version, questions(label)],
  ]);
const forms = () => run('select event_id, version, questions from event_form order by event_id, version');
const contents = async () => (await run('select from form_content')).length;

async function twoEvents() {
  const { id: organizationId } = await insertOrganization(orm);
  const one = await insertEvent(orm, { organizationId });
  const other = await insertEvent(orm, { organizationId });
  return { organizationId, one: one.id, other: other.id };
}

test('forms of earlier versions of the service are there after the migration, each content once, and before it', async () => {
  const { one, other } = await twoEvents();
  await orm.migrator.down({ to: '0019-first-mails' });
  await insertForm(one, 1, 'What do you eat?');
  await insertForm(one, 2, 'And drink?');
  await insertForm(other, 1, 'What do you eat?');
  const before = await forms();
  expect(before).toHaveLength(3);
  await migrate(database.url);
  expect(await forms()).toEqual(before);
  expect(await contents()).toBe(2);
  // by a process that still runs the version before
  await insertForm(other, 2, 'And drink?');
  expect(await contents()).toBe(2);
  const after = await forms();
  expect(after).toHaveLength(4);
  await orm.migrator.down({ to: '0019-first-mails' });
  expect(await forms()).toEqual(after);
});

test('the sweep deletes what no version asks any more, an hour later', async () => {
  const { one, other, organizationId } = await twoEvents();
  await insertForm(one, 1, 'What do you eat?');
  await insertForm(one, 2, 'And drink?');
  await insertForm(other, 1, 'What do you eat?');
  const retentionDays = {
    audit: 1,
    changes: 1,
    endedSessions: 1,
    expiredInvitations: 1,
    unprovenAccounts: 1,
    mails: 1,
  };
  const swept = async () => {
    await sweep(new PostgresDatabase(orm), { retentionDays });
    return await contents();
  };
  await run('delete from form_version where event_id = ?', [one]);
  expect(await swept()).toBe(2);
  await run(`update form_content set unused_since = unused_since - interval '61 minutes'`);
  expect(await swept()).toBe(1);
  // an organization goes with all that is of it
  await run('delete from organization where id = ?', [organizationId]);
  expect([await contents(), (await forms()).length]).toEqual([0, 0]);
});
