import sql, { join, raw, type Sql } from 'sql-template-tag';

/** A timestamp as both faces write it. */
export function isoSql(column: string): Sql {
  return sql`to_char(${raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The JSON of a row as text, in the column `json`, from the SQL of its values by their keys. */
export function jsonSql(values: Readonly<Record<string, string | Sql>>): Sql {
  const pairs = Object.entries(values).map(
    ([key, value]) => sql`${raw(`'${key}'`)}, ${typeof value === 'string' ? raw(value) : value}`,
  );
  return sql`json_build_object(${join(pairs, ', ')})::text as json`;
}

/** Values of columns under their own names. */
export function jsonColumnsOf<Name extends string>(alias: string, names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, `${alias}.${name}`])) as Record<Name, string>;
}

/** Timestamps under the names of their columns. */
export function timesOf<Name extends string>(alias: string, names: readonly Name[]): Record<Name, Sql> {
  return Object.fromEntries(names.map((name) => [name, isoSql(`${alias}.${name}`)])) as Record<Name, Sql>;
}
