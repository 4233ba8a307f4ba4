import { sql } from 'kysely';
import { empty, type Snapshot } from '#postgres-access';
import type { MemberContext } from '../context.ts';
import type { Condition } from './condition.ts';
import { columnsSql, conditionOf, joinedColumns, orderBy, rowsStatement, select, tableSql } from './list.sql.ts';
import type { OwnList } from './list.ts';
import { type ListStatement, shapeRow, timestampColumns } from './page.ts';

export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportInput {
  format: ExportFormat;
  where: Condition;
  direction: 1 | -1;
  columns: readonly string[];
}

/** Any number of rows, in batches. */
export type Exported<Row> = AsyncIterable<Row[]>;

export interface ExportSource extends OwnList {
  joined?: ListStatement['joined'];
}

/** Rows per batch: more are no faster, and several batches must fit into memory. */
const usualBatch = 100;
/** If a row may have a megabyte, as answers to a form. */
const largeBatch = 16;

export async function* readExport<Row>(
  ctx: MemberContext,
  snapshot: Snapshot,
  { joined, ...own }: ExportSource,
  { where, direction, columns }: ExportInput,
): Exported<Row> {
  const { resource } = own.list;
  const rows = { ...own, where };
  const timestamps = timestampColumns(resource, columns);
  const further = { shape: ['export', direction, columns, joined?.columns.map(({ name }) => name)] };
  const statement = rowsStatement(ctx, rows, further, (slots) => {
    // none, if the only fields are computed
    const ofRow = columns.length > 0 ? [columnsSql('t', columns)] : [];
    const shown = sql.join([...ofRow, ...joinedColumns(joined, slots.scope)]);
    const from = sql`${tableSql(own.list, slots.scope)} ${joined?.join(slots.scope) ?? empty}`;
    return select(shown, from, sql`where ${conditionOf(rows, slots)} ${orderBy('t', resource.order, direction)}`);
  });
  const size = columns.some((name) => resource.fields[name]?.type === 'json') ? largeBatch : usualBatch;
  for await (const batch of snapshot.batches(statement, size)) {
    yield batch.map((row) => shapeRow<Row>(resource, row, timestamps));
  }
}
