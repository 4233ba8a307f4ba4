import fc from 'fast-check';
import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../../src/domain/database.ts';
import { type JsonMember, jsonShape } from '../../src/domain/list/json-shape.ts';
import { isoTimestamp } from '../../src/domain/timestamp.ts';
import { globalId } from '../../src/schema/global-id.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Values {
  id: string;
  name: string | null;
  capacity: number | null;
  moment: Date | null;
  status: number | null;
  word: string;
}

/** What PostgreSQL writes of one row, whose user has the same name. */
async function written(members: JsonMember[], { id, name, capacity, moment, status, word }: Values): Promise<string> {
  const { page } = jsonShape(members).sql;
  const row = sql`select ${id}::uuid as id, ${name}::text as name, ${capacity}::int as capacity,
    ${moment?.toISOString() ?? null}::timestamptz(3) as moment, ${moment?.toISOString() ?? null}::timestamptz(3)::text as text,
    ${status}::int as status, ${word}::text as word`;
  const [found] = await rows<{ json: string; text: string | null }>(
    database.orm.em.fork(),
    sql`select ${raw(page)} as json, page.text from (${row}) page cross join (${row}) u`,
  );
  // the text that lists make of the same moment
  if (moment && found?.text) expect(isoTimestamp(found.text)).toBe(moment.toISOString());
  return found?.json ?? 'null';
}

const names = new Map<unknown, string>([
  [0, 'DRAFT'],
  [1, 'ACTIVE'],
]);
const words = new Map<unknown, string>([['it’s "so"', 'SO']]);

const text = fc.string({ unit: 'binary' }).map((each) => each.replaceAll('\0', ''));
const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value);
const moments = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

describe('a row that the database writes', () => {
  it('is byte for byte what JSON.stringify makes of its values', async () => {
    const values: fc.Arbitrary<Values> = fc.record({
      id: fc.uuid(),
      name: nullable(text),
      capacity: nullable(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      moment: nullable(moments),
      status: nullable(fc.constantFrom(0, 1)),
      word: fc.constant('it’s "so"'),
    });
    await fc.assert(
      fc.asyncProperty(values, async (row) => {
        const members: JsonMember[] = [
          { key: '__typename', constant: "An 'event'" },
          { key: 'id', column: 'id', as: 'base64', prefix: 'Event:' },
          { key: 'databaseId', column: 'id', as: 'plain' },
          { key: 'name', column: 'name', as: 'text', nullable: true },
          { key: 'capacity', column: 'capacity', as: 'literal', nullable: true },
          { key: 'moment', column: 'moment', as: 'timestamp', nullable: true },
          { key: 'status', column: 'status', as: 'name', names, nullable: true },
          { key: 'word', column: 'word', as: 'name', names: words },
          { key: 'user', user: [{ key: 'name', column: 'name', as: 'text', nullable: true }] },
        ];
        expect(await written(members, row)).toBe(
          JSON.stringify({
            __typename: "An 'event'",
            id: globalId('Event', row.id),
            databaseId: row.id,
            name: row.name,
            capacity: row.capacity,
            moment: row.moment?.toISOString() ?? null,
            status: row.status === null ? null : names.get(row.status),
            word: 'SO',
            user: { name: row.name },
          }),
        );
      }),
      { numRuns: 300 },
    );
  }, 30_000);

  it('has the longest global id in one line, and may have no members', async () => {
    const row = {
      id: '0199b5a0-7c3a-7000-8000-0123456789ab',
      name: '',
      capacity: 0,
      moment: null,
      status: 0,
      word: '',
    };
    const id = { key: 'id', column: 'id', as: 'base64', prefix: 'EventSubscription:' } as const;
    expect(await written([id], row)).toBe(JSON.stringify({ id: globalId('EventSubscription', row.id) }));
    expect(await written([], row)).toBe('{}');
  });

  it('names each column once, and the user where the row is within an object', () => {
    const item: JsonMember = { key: 'id', column: 'id', as: 'plain' };
    const user: JsonMember = { key: 'user', user: [item] };
    expect(jsonShape([item, { ...item, key: 'again' }])).toMatchObject({ columns: ['id'], user: false });
    expect(jsonShape([{ key: 'node', row: [item, user] }])).toMatchObject({ columns: ['id', 'user_id'], user: true });
  });
});
