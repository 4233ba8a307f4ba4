import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { MemberContext } from '../context.ts';
import type { Snapshot } from '../snapshot.ts';
import { type Condition, conditionSql } from './condition.ts';
import { type ListStatement, names, orderBy, select, shapeRow, tableSql, timestampColumns } from './list.sql.ts';
import type { ListResource } from './resource.ts';

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

export interface ExportSource {
  resource: ListResource;
  /** Visibility, over the alias `t`. */
  visible: Sql;
  /** As in {@link ListStatement}. */
  source?: Sql | undefined;
  joined?: ListStatement['joined'];
}

/** A condition over the alias `t`. */
export function exportCondition(ctx: MemberContext, { resource, visible }: ExportSource, where: Condition): Sql {
  return sql`${visible} and ${conditionSql(resource, where, ctx)}`;
}

/** Rows per batch: more are no faster, and several batches must fit into memory. */
const usualBatch = 100;
/** If a row may have a megabyte, as answers to a form. */
const largeBatch = 16;

export async function* readExport<Row>(
  ctx: MemberContext,
  snapshot: Snapshot,
  source: ExportSource,
  { where, direction, columns }: ExportInput,
): Exported<Row> {
  const { resource, joined } = source;
  const shown = [
    raw(names('t', columns)),
    ...(joined?.columns ?? []).map((column) => sql`${column.sql} as ${raw(column.name)}`),
  ];
  const timestamps = timestampColumns(resource, columns);
  const from = sql`${tableSql(source)} ${joined?.join ?? empty}`;
  const condition = exportCondition(ctx, source, where);
  const statement = select(join(shown, ', '), from, sql`where ${condition} ${orderBy('t', resource.order, direction)}`);
  const size = columns.some((name) => resource.fields[name]?.type === 'json') ? largeBatch : usualBatch;
  for await (const rows of snapshot.batches(statement, size)) {
    yield rows.map((row) => shapeRow<Row>(resource, row, timestamps));
  }
}
