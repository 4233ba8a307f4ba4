import { z } from 'zod';
import type { Row, Rows, Table, Tables } from './tables.ts';

/** A value as it is stored, or what is wrong: sentences with JSON pointers into the value. */
export type Check = (schema: z.ZodType, value: unknown) => { value: unknown } | { issues: Issue[] };
interface Issue {
  pointer: string;
  detail: string;
}

export type Report = (path: string, fault: string) => void;

const maxDepth = 100;

/** Checks each row on its own, without relations between rows. */
export function readRows<Section extends string>(
  tables: Tables<Section>,
  document: unknown,
  check: Check,
  report: Report,
): Rows<Section> {
  const known = Object.keys(tables).join(', ');
  const given = isRecord(document) ? document : {};
  if (given !== document) report('', `must be an object with any of ${known}`);
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(tables, key)) report(`/${escapePointer(key)}`, `is unknown; known are ${known}`);
  }
  const sections = Object.entries<Table<Section>>(tables).map(([section, table]) => {
    const { [section]: list = [] } = given;
    if (!Array.isArray(list)) report(`/${section}`, 'must be a list');
    const rows = Array.isArray(list) ? list : [];
    return [section, rows.map((row, index) => readRow(table, row, `/${section}/${index}`, check, report))];
  });
  return Object.fromEntries(sections) as Rows<Section>;
}

function readRow(table: Table<string>, value: unknown, path: string, check: Check, report: Report): Row {
  const row: Row = {};
  if (!isRecord(value)) {
    report(path, 'must be an object');
    return row;
  }
  const { keys, refused = {} } = table;
  const unknown = `is unknown; known are ${Object.keys(keys).join(', ')}`;
  for (const key of Object.keys(value).filter((each) => !Object.hasOwn(keys, each))) {
    report(`${path}/${escapePointer(key)}`, Object.hasOwn(refused, key) ? String(refused[key]) : unknown);
  }
  for (const [key, schema] of Object.entries(keys)) {
    if (!Object.hasOwn(value, key)) {
      const isOptional = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
      if (!isOptional) report(`${path}/${key}`, 'is missing');
      continue;
    }
    if (!isStorable(value[key], `${path}/${key}`, report)) continue;
    const checked = check(schema, value[key]);
    if ('value' in checked) row[key] = checked.value;
    else report(`${path}/${key}`, checked.issues.map(faultOf).join('; '));
  }
  table.complete?.(row, (key, fault) => report(`${path}/${key}`, fault));
  return row;
}

/** Without a capital or a full stop, since it follows the path of the value. */
function faultOf({ pointer, detail }: Issue): string {
  return `${pointer} ${detail.charAt(0).toLowerCase()}${detail.slice(1).replace(/\.$/, '')}`.trim();
}

/** Rejects what PostgreSQL cannot store (NUL, lone surrogates, numbers beyond doubles) and excessive nesting. */
function isStorable(value: unknown, path: string, report: Report, depth = 0): boolean {
  const fault = storageFault(value, depth);
  if (fault !== null) {
    report(path, fault);
    return false;
  }
  if (!isNested(value)) return true;
  let storable = true;
  for (const [key, member] of Object.entries(value)) {
    const memberPath = `${path}/${escapePointer(key.toWellFormed())}`;
    if (!isStorable(key, memberPath, report) || !isStorable(member, memberPath, report, depth + 1)) storable = false;
  }
  return storable;
}

function storageFault(value: unknown, depth: number): string | null {
  if (typeof value === 'string' && value.includes('\0')) return 'contains a NUL character';
  if (typeof value === 'string' && !value.isWellFormed()) return 'contains a lone surrogate';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'is a number that is too large';
  return isNested(value) && depth === maxDepth ? `is nested more than ${maxDepth} levels deep` : null;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isNested(value) && !Array.isArray(value);
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
