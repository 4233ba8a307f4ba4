import { type AliasableExpression, sql } from 'kysely';
import type { Snapshot } from '../../engine/snapshot.ts';
import { built } from '../../engine/statement.ts';
import { tables } from '../tables/tables.ts';

/** A key of a JSON document, and the rows of its value. */
export interface Section {
  name: string;
  rows: AliasableExpression<object>;
  /** Whether the value is that of the only row, instead of a list. */
  single?: boolean;
  /** Whether a row may have a megabyte. */
  large?: boolean;
}

/** Rows per batch: several batches must fit into memory however large the rows are. */
const usualBatch = 100;
const largeBatch = 16;

const asJson = sql<string>`to_json("row")::text`.as('json');

/**
 * A JSON document, piece by piece, in constant memory. PostgreSQL writes the JSON of the rows, so that they need not be parsed
 * and written again.
 *
 * @param advance receives the number of rows as they are written
 */
export async function* writeDocument(
  snapshot: Pick<Snapshot, 'batches'>,
  sections: readonly Section[],
  advance: (section: Section, rows: number) => void = () => undefined,
): AsyncIterable<string> {
  let separator = '{\n';
  for (const section of sections) {
    const { name, single = false, large = false } = section;
    const statement = built(tables.selectFrom(section.rows.as('row')).select(asJson));
    yield `${separator}${JSON.stringify(name)}: ${single ? '' : '['}`;
    let rowSeparator = single ? '' : '\n';
    for await (const rows of snapshot.batches(statement, large ? largeBatch : usualBatch)) {
      yield rowSeparator + rows.map(({ json }) => json).join(',\n');
      rowSeparator = ',\n';
      advance(section, rows.length);
    }
    if (!single) yield '\n]';
    separator = ',\n';
  }
  yield '\n}\n';
}
