import { type RawBuilder, sql } from 'kysely';
import type { TableName, Tables } from '../tables/tables.ts';

export const iso = (time: RawBuilder<unknown>) =>
  sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export function times<Table extends TableName, Name extends keyof Tables[Table] & string>(
  of: `${Table} as ${string}`,
  ...names: readonly Name[]
) {
  const [, alias] = of.split(' as ');
  return names.map((name) => iso(sql.ref(`${alias}.${name}`)).as(name));
}
