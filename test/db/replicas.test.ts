import { beforeEach, describe, expect, it } from 'vitest';
import { PostgresDatabase, type Statement } from '#postgres-access';
import { toDomainError } from '../../src/db/errors.ts';
import type { ConnectionOptions } from '../../src/db/options.ts';
import type { Orm } from '../../src/db/orm.ts';
import { type Breakable, startBreakable } from '../support/breakable.ts';
import { createTestDatabase, openOrm, type TestDatabase } from '../support/database.ts';
import { inTest, shared } from '../support/shared.ts';
import { raw, sql } from '../support/sql.ts';

let ways: Breakable[];
let orm: Orm;
let warnings: string[];

/** Databases of one server that stand for a primary and its replicas: their names tell which of them answered. */
const databases: TestDatabase[] = [];
for (let index = 0; index < 3; index += 1) databases.push(await shared(createTestDatabase()));
const names = databases.map(({ url }) => new URL(url).pathname.slice(1));

beforeEach(async () => {
  ways = await Promise.all(databases.slice(1).map(({ url }) => inTest(startBreakable(url))));
  warnings = [];
});

async function open(options: Partial<ConnectionOptions> = {}): Promise<void> {
  const warn = (message: string) => void warnings.push(message);
  const [primary] = databases;
  const replicaUrls = ways.map(({ url }) => url);
  ({ orm } = await inTest(openOrm({ url: primary?.url as string, replicaUrls, warn, ...options })));
}

const answering = () => orm.connections.replicas?.answering;
const untilAnswering = (count: number) => expect.poll(answering).toBe(count);

/** Which of the databases answered, 0 for the primary, by their places. */
async function askFor(statement: Statement<{ name: string }>): Promise<number> {
  const found = await new PostgresDatabase(orm).rows(statement, { from: 'read' });
  return names.indexOf(found[0]?.name as string);
}
const ask = () => askFor(sql`select current_database() as name`);
const askTimes = async (times: number) => new Set(await Promise.all(Array.from({ length: times }, ask)));

describe('replicas', () => {
  it('answer the reads that ask for one, by turns, and no others', async () => {
    await open();
    await untilAnswering(2);
    const name = sql`select current_database() as name`;
    expect(await askTimes(10)).toEqual(new Set([1, 2]));
    expect(await new PostgresDatabase(orm).rows(name)).toEqual([{ name: names[0] }]);
    expect(await new PostgresDatabase(orm).row(name)).toEqual({ name: names[0] });
    await new PostgresDatabase(orm).transaction(async (unit) => {
      expect(await unit.rows(name, { from: 'read' })).toEqual([{ name: names[0] }]);
    });
    expect(warnings).toEqual([]);
  });

  it('are excluded from the first read on if they are dead at the start', async () => {
    await ways[0]?.cut();
    await open();
    expect((await askTimes(20)).has(1)).toBe(false);
    await untilAnswering(1);
    expect(await askTimes(20)).toEqual(new Set([2]));
    expect(warnings).toEqual([
      expect.stringMatching(/^the replica 127\.0\.0\.1:\d+ does not respond, reads go elsewhere: /),
    ]);
  });

  it('lose no read when one dies, and get reads again when it is back', async () => {
    await open();
    await untilAnswering(2);
    const reading = Array.from({ length: 6 }, () => askFor(sql`select current_database() as name, pg_sleep(0.3)`));
    const active = `select from pg_stat_activity where query like '%pg_sleep(0.3)%' and datname = '${names[1]}' and state = 'active'`;
    await expect.poll(() => databases[0]?.execute(active)).not.toEqual([]);
    await ways[0]?.cut();
    expect(new Set(await Promise.all(reading))).toEqual(new Set([2]));
    expect(await askTimes(20)).toEqual(new Set([2]));
    await expect.poll(() => warnings).toEqual([expect.stringContaining('does not respond')]);
    await ways[0]?.mend();
    await untilAnswering(2);
    expect(await askTimes(20)).toEqual(new Set([1, 2]));
    expect(warnings[1]).toMatch(/^the replica 127\.0\.0\.1:\d+ responds again$/);
    expect(warnings).toHaveLength(2);
  });

  it('leave all reads to the primary when all of them are dead', async () => {
    await open();
    await untilAnswering(2);
    await Promise.all(ways.map((way) => way.cut()));
    expect(await askTimes(20)).toEqual(new Set([0]));
  });

  it('keep no read waiting for long when one hangs, wherever it waits', async () => {
    // more reads than connections: some wait for an answer, some for a connection, some in the queue for one
    await open({ poolSize: 4 });
    await untilAnswering(2);
    await ask();
    ways[0]?.silence();
    expect(await askTimes(24)).toEqual(new Set([2]));
    expect(answering()).toBe(1);
    // it is known now, and asked no more: otherwise each of these would wait until the next look at it
    const since = performance.now();
    for (let round = 0; round < 3; round += 1) expect(await askTimes(24)).toEqual(new Set([2]));
    expect(performance.now() - since).toBeLessThan(3_000);
  });

  it('are not given up for a connection that the server ended', async () => {
    await open();
    await untilAnswering(2);
    const reading = Promise.all(
      Array.from({ length: 4 }, () => askFor(sql`select current_database() as name, pg_sleep(0.4)`)),
    );
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where query like '%pg_sleep(0.4)%' and datname = '${names[1]}' and state = 'active'`;
    await expect.poll(async () => (await databases[0]?.execute(terminate))?.length).toBeGreaterThan(0);
    expect(await reading).toHaveLength(4);
    await untilAnswering(2);
    expect(warnings).toEqual([]);
  });

  it('pass on what they cannot answer before a migration has reached them', async () => {
    await databases[0]?.execute(`create table "arrived" as select '${names[0]}' as "name"`);
    await open();
    await untilAnswering(2);
    expect(await askFor(sql`select name from arrived`)).toBe(0);
    expect(answering()).toBe(2);
  });

  it('do not have others repeat a read that took too long, or failed', async () => {
    for (const each of databases) await each.execute('create sequence "asked"');
    await open({ statementTimeout: 300 });
    await untilAnswering(2);
    const failures: unknown[] = [];
    for (const text of [`select nextval('asked'), pg_sleep(5)`, `select nextval('asked'), 1 / (random() * 0)::int`]) {
      failures.push(await new PostgresDatabase(orm).rows(sql`${raw(text)}`, { from: 'read' }).catch(toDomainError));
    }
    expect(failures).toMatchObject([{ cause: { code: '57014' } }, { code: '22012' }]);
    const times: number[] = [];
    for (const each of databases) {
      const [row] = await each.execute<{ n: number }>(
        `select case when is_called then last_value::int else 0 end as n from "asked"`,
      );
      times.push(row?.n as number);
    }
    expect([times[0], times.reduce((sum, n) => sum + n)]).toEqual([0, 2]);
  });
});
