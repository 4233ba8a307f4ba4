import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { MemberContext } from '../context.ts';
import type { Snapshot } from '../snapshot.ts';
import { conditionSql } from './condition.sql.ts';
import type { Condition } from './condition.ts';
import { type ListStatement, names, orderBy, shapeRow, timestampColumns } from './list.sql.ts';
import type { ListResource } from './resource.ts';

/** The formats of the files. */
export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What may be asked of an export: what a list takes, but for the page. */
export interface ExportInput {
  format: ExportFormat;
  where: Condition;
  direction: 1 | -1;
  columns: readonly string[];
}

/** Rows of any number, as both faces show them, some at a time. */
export type Exported<Row> = AsyncIterable<Row[]>;

/** The rows that an export is made of: those of the list, with the same visibility and filter. */
export interface ExportSource {
  resource: ListResource;
  /** Visibility, over the alias `t`. */
  visible: Sql;
  joined?: ListStatement['joined'];
}

/** Which rows an export has, as a condition over the alias `t`. */
export function exportCondition(ctx: MemberContext, { resource, visible }: ExportSource, where: Condition): Sql {
  return sql`${visible} and ${conditionSql(resource, where, ctx.now)}`;
}

/** Rows that are read at a time: more are no faster, and several batches must fit into memory whatever is in them. */
const usualBatch = 100;
/** The same, if one row may have a megabyte: answers to a form. */
const largeBatch = 16;

/** Every row of a list that matches, in its order. */
export async function* readExport<Row>(
  ctx: MemberContext,
  snapshot: Snapshot,
  source: ExportSource,
  { where, direction, columns }: ExportInput,
): Exported<Row> {
  const { resource, joined } = source;
  const shown = [names('t', columns), ...(joined?.columns ?? []).map((column) => `${column.sql} as ${column.name}`)];
  const timestamps = timestampColumns(resource, columns);
  const statement = sql`select ${raw(shown.join(', '))} from ${raw(`"${resource.table}" t`)} ${joined?.join ?? empty}
    where ${exportCondition(ctx, source, where)} ${orderBy('t', resource.order, direction)}`;
  const size = columns.some((name) => resource.fields[name]?.type === 'json') ? largeBatch : usualBatch;
  for await (const rows of snapshot.batches<Record<string, unknown>>(statement, size)) {
    yield rows.map((row) => shapeRow<Row>(resource, row, timestamps));
  }
}
