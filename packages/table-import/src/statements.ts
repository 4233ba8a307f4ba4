import { z } from 'zod';
import type { Table } from './tables.ts';

type AnyTable = Table<string>;

/** Writes rows from a JSON list ($1). An omitted key keeps its value in an existing row and gets its default in a new one. */
export function upsert({ table: name, identity = ['id'], keys, unstored = [], ...table }: AnyTable): string {
  if (table.statement !== undefined) return table.statement;
  const { computed = {}, following = () => ({}) } = table;
  const stored = Object.keys(keys).filter((key) => !unstored.includes(key));
  const columns = [...new Set([...stored, ...Object.keys(computed)])];
  const defaults = Object.entries(keys).flatMap(([key, schema]) =>
    schema instanceof z.ZodDefault ? [[key, schema.def.defaultValue]] : [],
  );
  const changeable = columns.filter((column) => ![...identity, 'id'].includes(column));
  const compared = changeable.filter((column) => !Object.hasOwn(following(''), column));
  const follow: Record<string, string> = following(
    `${tuple(`"${name}"`, compared)} is distinct from ${tuple('excluded', compared)}`,
  );
  // PostgreSQL knows the types of the columns
  return `insert into "${name}" (${columns.join(', ')})
    select ${columns.map((column) => computed[column] ?? `"row".${column}`).join(', ')}
    from jsonb_array_elements($1::jsonb) as given
    cross join jsonb_populate_record(null::"${name}", given) as named
    left join "${name}" old on ${tuple('old', identity)} = ${tuple('named', identity)}
    cross join jsonb_populate_record(old,
      case when old.${identity[0]} is null then '${JSON.stringify(Object.fromEntries(defaults))}'::jsonb || given else given end) as "row"
    on conflict (${identity.join(', ')}) do update set
      ${changeable.map((column) => `${column} = ${follow[column] ?? `excluded.${column}`}`).join(', ')}`;
}

/** Replaces the values of unique columns that rows ($1) change with temporary ones, so that rows can swap them. */
export function vacate({ table }: AnyTable, columns: readonly string[]): string {
  return `update "${table}" old set ${columns.at(-1)} = old.id::text from jsonb_populate_recordset(null::"${table}", $1) as named
    where old.id = named.id and ${tuple('old', columns)} <> ${tuple('named', columns)}`;
}

/** The stored rows (`holder`) that have the values of unique columns of rows ($1). */
export function holders({ table }: AnyTable, columns: readonly string[]): string {
  return `select named.id, old.id as holder from jsonb_populate_recordset(null::"${table}", $1) as named
    join "${table}" old on ${tuple('old', columns)} = ${tuple('named', columns)}`;
}

/** Those of some ids ($1) that rows may refer to. */
export function referable({ table, referable: condition = 'true' }: AnyTable): string {
  return `select id from "${table}" where id = any($1::uuid[]) and ${condition}`;
}

function tuple(of: string, columns: readonly string[]): string {
  return `(${columns.map((column) => `${of}.${column}`).join(', ')})`;
}
