import { escapePointer } from '../../kernel/errors.ts';
import { mailboxOf } from '../../kernel/input/email-address.ts';
import { isRecord } from '../../kernel/is-record.ts';
import { type Column, type ImportSection, refusedKeys, sections, tables } from './tables.ts';

/** A row to be stored. An omitted key is absent, which is not the same as null. */
export type ImportRow = Record<string, unknown>;
export type Document = Record<ImportSection, ImportRow[]>;

/** Collects faults, each with the path of its value. */
export type Report = (path: string, fault: string) => void;

const maxDepth = 100;

/** Checks each row of the parsed JSON on its own; relations between rows are checked afterwards. */
export function readDocument(value: unknown, report: Report): Document {
  const document = Object.fromEntries(sections.map((section) => [section, [] as ImportRow[]])) as Document;
  if (!isRecord(value)) {
    report('', `must be an object with any of ${sections.join(', ')}`);
    return document;
  }
  for (const key of Object.keys(value)) {
    if (!sections.some((section) => section === key)) {
      report(`/${escapePointer(key)}`, `is unknown; known are ${sections.join(', ')}`);
    }
  }
  for (const section of sections) {
    const list = value[section];
    if (list === undefined) continue;
    if (!Array.isArray(list)) report(`/${section}`, 'must be a list');
    else document[section] = list.map((row, index) => readRow(section, row, `/${section}/${index}`, report));
  }
  return document;
}

function readRow(section: ImportSection, value: unknown, path: string, report: Report): ImportRow {
  const row: ImportRow = {};
  if (!isRecord(value)) {
    report(path, 'must be an object');
    return row;
  }
  const keys = keysOf.get(section) as ReadonlyMap<string, Key>;
  for (const key of Object.keys(value)) {
    if (!keys.has(key)) report(`${path}/${escapePointer(key)}`, refusedKeys.get(key) ?? unknownKey(keys));
  }
  for (const [key, { read, required }] of keys) {
    if (!Object.hasOwn(value, key)) {
      if (required) report(`${path}/${key}`, 'is missing');
      continue;
    }
    if (!isStorable(value[key], `${path}/${key}`, report)) continue;
    try {
      row[key] = read(value[key]);
    } catch (error) {
      report(`${path}/${key}`, error instanceof Error ? error.message : String(error));
    }
  }
  if (section === 'users' && typeof row.email === 'string') row.mailbox = mailboxOf(row.email);
  if (section === 'users' && row.email === null) {
    if (row.password !== undefined) report(`${path}/password`, 'is of no use without an address');
    // nobody signs in as a deleted user
    Object.assign(row, { mailbox: null, password_hash: null });
  }
  if (typeof row.date_start === 'string' && typeof row.date_end === 'string' && row.date_end < row.date_start) {
    report(`${path}/date_end`, 'must not be before date_start');
  }
  return row;
}

type Key = Column & Required<Pick<Column, 'read'>>;

/** The columns that a document gives, by section. */
const keysOf = new Map(
  sections.map((section) => {
    const columns = Object.entries(tables[section].columns);
    return [section, new Map(columns.filter((entry): entry is [string, Key] => entry[1].read !== undefined))];
  }),
);

function unknownKey(keys: ReadonlyMap<string, Key>): string {
  return `is unknown; known are ${[...keys.keys()].join(', ')}`;
}

/** Rejects what PostgreSQL cannot store (NUL, lone surrogates, numbers beyond doubles) and excessive nesting. */
function isStorable(value: unknown, path: string, report: Report, depth = 0): boolean {
  if (typeof value === 'string') {
    if (value.includes('\0')) report(path, 'contains a NUL character');
    else if (!value.isWellFormed()) report(path, 'contains a lone surrogate');
    else return true;
    return false;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    report(path, 'is a number that is too large');
    return false;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (depth === maxDepth) {
    report(path, `is nested more than ${maxDepth} levels deep`);
    return false;
  }
  let storable = true;
  for (const [key, member] of Object.entries(value)) {
    const memberPath = `${path}/${escapePointer(key.toWellFormed())}`;
    if (!isStorable(key, memberPath, report) || !isStorable(member, memberPath, report, depth + 1)) storable = false;
  }
  return storable;
}
