import { z } from 'zod';
import { escapePointer, type Issue } from '../../kernel/errors.ts';
import { mailboxOf } from '../../kernel/input/email-address.ts';
import { checkInput } from '../../kernel/input/parse-input.ts';
import { isRecord } from '../../kernel/is-record.ts';
import { type ImportSection, refusedKeys, sections, tables } from './tables.ts';

/** A row to be stored. An omitted key is absent, which is not the same as null. */
export type ImportRow = Record<string, unknown>;
export type Document = Record<ImportSection, ImportRow[]>;

/** @param path of the invalid value */
export type Report = (path: string, fault: string) => void;

const maxDepth = 100;

/** Checks each row on its own, without relations between rows. */
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
  const { keys } = tables[section];
  const unknown = `is unknown; known are ${Object.keys(keys).join(', ')}`;
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(keys, key)) report(`${path}/${escapePointer(key)}`, refusedKeys.get(key) ?? unknown);
  }
  for (const [key, schema] of Object.entries(keys)) {
    if (!Object.hasOwn(value, key)) {
      const isOptional = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
      if (!isOptional) report(`${path}/${key}`, 'is missing');
      continue;
    }
    if (!isStorable(value[key], `${path}/${key}`, report)) continue;
    const checked = checkInput(schema, value[key]);
    if ('value' in checked) row[key] = checked.value;
    else report(`${path}/${key}`, checked.issues.map(faultOf).join('; '));
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

/** Without a capital or a full stop, since it follows the path of the value. */
function faultOf({ pointer, detail }: Issue): string {
  return `${pointer} ${detail.charAt(0).toLowerCase()}${detail.slice(1).replace(/\.$/, '')}`.trim();
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
