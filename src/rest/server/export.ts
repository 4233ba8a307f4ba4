import { stringify } from 'csv-stringify/sync';
import type { Response } from 'express';
import { isTurnOver, nextTurn } from '#fair-turns';
import type { Delivery } from '#slow-readers';
import type { Condition } from '../../engine/list/condition.ts';
import { type ExportFormat, exportFormats } from '../../engine/list/export.ts';
import type { ListField } from '../../engine/list/resource.ts';
import { attachment } from '../../http/attachment.ts';
import { collectIssues, faults } from '../../kernel/errors.ts';
import { projectionSchemas, whereSchema } from './list.schema.ts';
import { type Projection, parseFilter, parseSort, project } from './list-query.ts';
import { type ParameterDoc, queryDocs } from './route.ts';
import type { RawParameters } from './url-query.ts';

/** Bytes written at once: those that the client has not read count against a limit. */
const pieceSize = 262_144;

export interface ExportQuery {
  where: Condition;
  direction: 1 | -1;
  fields: string[];
  include: string[];
  format: ExportFormat;
  /** Whether texts that a spreadsheet would interpret as a formula are prefixed with `'`. */
  guard: boolean;
}

const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** Reports all issues at once. @throws DomainError INVALID_QUERY */
export function readExportQuery(
  projection: Projection,
  { values, issues: unread }: RawParameters<string>,
): ExportQuery {
  const issues = [...unread];
  const refuse = (name: string, detail: string) => issues.push({ pointer: `/${name}`, code: 'INVALID_QUERY', detail });
  const { where: text, format, guard = 'on' } = values;
  if (!exportFormats.some((each) => each === format)) refuse('format', '`format` is `csv` or `ndjson`.');
  if (guard !== 'on' && guard !== 'off') refuse('guard', '`guard` is `on` or `off`.');
  const where = parseFilter(projection.resource, text, issues);
  const direction = collectIssues(issues, 1 as const, () => parseSort(values.sort));
  const { fields, include } = project(projection, values, issues);
  if (issues.length > 0) throw faults('INVALID_QUERY', issues);
  return { where, direction, fields, include, format: format as ExportFormat, guard: guard === 'on' };
}

export interface CsvColumn {
  header: string;
  /** Whether users typed its values. */
  text: boolean;
  value(row: object): unknown;
}

/** @param definition undefined if the field is computed */
export function fieldColumn(name: string, definition: ListField | undefined): CsvColumn {
  return namedColumn(name, definition?.type === 'text', name);
}

export function namedColumn(header: string, text: boolean, name: string): CsvColumn {
  return { header, text, value: (row) => (row as Record<string, unknown>)[name] };
}

export interface ExportReceiver {
  response: Response;
  /** Measures how fast the client reads. */
  delivery: Delivery;
}

/** Cells written at once: few, so that other requests can run in between. */
const cellsAtOnce = 1_000;

/**
 * Streams rows while they are read: if the client stops reading, PostgreSQL waits, so memory use is bounded. The
 * router ends the response after the snapshot, so that the client can then start another export.
 */
export async function writeExport<Row extends object>(
  { response, delivery }: ExportReceiver,
  { format, guard }: Pick<ExportQuery, 'format' | 'guard'>,
  name: string,
  columns: readonly CsvColumn[],
  batches: AsyncIterable<Row[]>,
  present: (row: Row) => object,
): Promise<void> {
  response.setHeader('content-type', mediaTypes[format]);
  response.setHeader('content-disposition', attachment(`${name}.${format}`));
  const write = writerOf({ response, delivery });
  if (response.req.method === 'HEAD') return;
  if (format === 'csv') await write(`\uFEFF${csv([columns.map(({ header }) => header)])}`);
  const atOnce = Math.max(1, Math.floor(cellsAtOnce / columns.length));
  for await (const rows of batches) {
    for (let at = 0; at < rows.length; at += atOnce) {
      const some = rows.slice(at, at + atOnce);
      await write(format === 'csv' ? csv(some.map((row) => cells(row, columns, guard))) : ndjson(some.map(present)));
      if (isTurnOver()) await nextTurn();
    }
  }
}

function writerOf({ response, delivery }: ExportReceiver): (text: string) => Promise<void> {
  return async (text) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length && !response.destroyed; at += pieceSize) {
      const piece = bytes.subarray(at, at + pieceSize);
      if (!response.write(piece)) await delivery.wait(piece.length, drained(response));
    }
  };
}

export function jsonWriter(response: Response, name: string) {
  return async (pieces: AsyncIterable<string>, delivery: Delivery): Promise<void> => {
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('content-disposition', attachment(`${name}.json`));
    if (response.req.method === 'HEAD') return;
    const write = writerOf({ response, delivery });
    for await (const piece of pieces) await write(piece);
  };
}

/** Removes both listeners, since an export waits many times. */
async function drained(response: Response): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

function ndjson(items: readonly object[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join('');
}

/** RFC 4180. */
function csv(records: unknown[][]): string {
  return stringify(records, {
    record_delimiter: '\r\n',
    // by default the library quotes only the record delimiter, not other line breaks
    quote_record_delimiter: true,
    // many readers skip empty lines
    quoted_empty: records[0]?.length === 1,
    cast: { boolean: String },
  });
}

function cells(row: object, columns: readonly CsvColumn[], guard: boolean): unknown[] {
  return columns.map(({ value, text }) => {
    const found = value(row);
    if (found !== null && typeof found === 'object') return JSON.stringify(found);
    return guard && text && typeof found === 'string' && /^[=+\-@\t\r]/.test(found) ? `'${found}` : found;
  });
}

export function exportDocs(projection: Projection): ParameterDoc[] {
  return queryDocs({
    format: {
      ...{ required: true, type: 'string', enum: [...exportFormats] },
      description:
        'The format of the file: `csv` (RFC 4180, UTF-8 with a byte order mark) or `ndjson` (one item per line).',
    },
    where: whereSchema(projection.resource),
    sort: { type: 'integer', enum: [1, -1], default: 1, description: '`1` for ascending order, `-1` for descending.' },
    ...projectionSchemas(projection),
    guard: {
      ...{ type: 'string', enum: ['on', 'off'], default: 'on' },
      description: "Unless `off`, a text in CSV that a spreadsheet would interpret as a formula is prefixed with `'`.",
    },
  });
}
