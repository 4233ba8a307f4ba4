import { isoTimestamp } from '../../kernel/scalars.ts';
import type { VerbResult, VerbRow } from './verb.ts';

export function print(outcome: VerbResult, json: boolean): string {
  if ('done' in outcome) return json ? toJson(outcome.json) : outcome.done;
  if ('row' in outcome) {
    const row = withTimes(outcome.row);
    return json ? toJson(row) : describe(row);
  }
  const rows = outcome.rows.map(withTimes);
  return json ? toJson(rows) : table(rows);
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Timestamps as both APIs present them. */
function withTimes(row: VerbRow): VerbRow {
  const entries = Object.entries(row).map(([name, value]): [string, unknown] => [
    name,
    name.endsWith('_at') && typeof value === 'string' ? isoTimestamp(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function describe(row: VerbRow): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => {
      const lines = Array.isArray(value)
        ? value.map((each: VerbRow) => Object.values(each).map(cell).join('  '))
        : [cell(value)];
      return `${name.padEnd(width)}  ${lines.join(`\n${' '.repeat(width)}  `) || '-'}`;
    })
    .join('\n');
}

function table(rows: VerbRow[]): string {
  const [first] = rows;
  if (!first) return 'None.';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)));
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Control characters in a name must not reach the terminal. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '�');
}
