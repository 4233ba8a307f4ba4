import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { migrate } from '../../src/db/migrate.ts';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { insertEvent, insertOrganization } from '../support/fixtures.ts';
import { retentionDays } from '../support/sweeping.ts';

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

async function insertForm(event: string, version: number, label: string): Promise<void> {
  const hash = createHash('sha256').update(label).digest();
  await run(
    `insert into form_content (organization_id, hash, questions) select organization_id, ?, ?::jsonb from event where id = ?
      on conflict do nothing`,
    [hash, questions(label), event],
  );
  await run(
    `insert into form_version (event_id, version, organization_id, hash) select id, ?, organization_id, ? from event where id = ?`,
    [version, hash, event],
  );
}
const forms = () => run('select from form_version');
const contents = async () => (await run('select from form_content')).length;

async function twoEvents() {
  const { id: organizationId } = await insertOrganization(orm);
  const one = await insertEvent(orm, { organizationId });
  const other = await insertEvent(orm, { organizationId });
  return { organizationId, one: one.id, other: other.id };
}

test('the sweep deletes what no version asks any more, an hour later', async () => {
  const { one, other, organizationId } = await twoEvents();
  await insertForm(one, 1, 'What do you eat?');
  await insertForm(one, 2, 'And drink?');
  await insertForm(other, 1, 'What do you eat?');
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
