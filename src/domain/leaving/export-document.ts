import { type AliasableExpression, type RawBuilder, sql } from 'kysely';
import { built, type Snapshot } from '#postgres-access';
import { type TableName, type Tables, tables } from '../tables/tables.ts';

export interface Section {
  rows: AliasableExpression<object>;
  /** Whether the value is the only row instead of a list. */
  single?: boolean;
  /** Whether a row may have a megabyte. */
  large?: boolean;
}

/** Rows per batch; several batches must fit into memory. */
const usualBatch = 100;
const largeBatch = 16;

const asJson = sql<string>`to_json("row")::text`.as('json');

/**
 * A JSON document in pieces, in constant memory. PostgreSQL writes the JSON of the rows, so that they need not be parsed.
 * @param advance receives the number of rows as they are written
 */
export async function* writeDocument(
  snapshot: Pick<Snapshot, 'batches'>,
  sections: Readonly<Record<string, Section>>,
  advance: (section: string, rows: number) => void = () => undefined,
): AsyncIterable<string> {
  let separator = '{\n';
  for (const [name, { rows: found, single = false, large = false }] of Object.entries(sections)) {
    const statement = built(tables.selectFrom(found.as('row')).select(asJson));
    yield `${separator}${JSON.stringify(name)}: ${single ? '' : '['}`;
    let rowSeparator = single ? '' : '\n';
    for await (const rows of snapshot.batches(statement, large ? largeBatch : usualBatch)) {
      yield rowSeparator + rows.map(({ json }) => json).join(',\n');
      rowSeparator = ',\n';
      advance(name, rows.length);
    }
    if (!single) yield '\n]';
    separator = ',\n';
  }
  yield '\n}\n';
}

export const iso = (time: RawBuilder<unknown>) =>
  sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export function times<Table extends TableName, Name extends keyof Tables[Table] & string>(
  of: `${Table} as ${string}`,
  ...names: readonly Name[]
) {
  const [, alias] = of.split(' as ');
  return names.map((name) => iso(sql.ref(`${alias}.${name}`)).as(name));
}
