import type { VerbResult, VerbRow } from './verb.ts';

type Present = (name: string, value: unknown) => unknown;

export function print(outcome: VerbResult, json: boolean, present: Present = (_, value) => value): string {
  if ('done' in outcome) return json ? toJson(outcome.json) : outcome.done;
  if ('row' in outcome) {
    const row = presentRow(outcome.row, present);
    return json ? toJson(row) : describe(row);
  }
  const rows = outcome.rows.map((row) => presentRow(row, present));
  return json ? toJson(rows) : table(rows);
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function presentRow(row: VerbRow, present: Present): VerbRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, present(name, value)]));
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
