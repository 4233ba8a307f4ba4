import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { statementBuilder } from '../../engine/statement.ts';
import type { entities } from '../entities.ts';

type Described = InferKyselyDB<(typeof entities)[number], { columnNamingStrategy: 'property' }>;

/** Every table, as its entity describes it, with the columns of the only relation that has several. */
export type Tables = Described & { form_version: { organization_id: string; hash: Uint8Array } };

export type TableName = keyof Tables;

/** Builds statements on the tables. */
export const tables = statementBuilder<Tables>();

/** In a comparison: equal to one of the values. */
export const anyOf = <Value>(values: readonly Value[]) => sql<Value>`any(${values})`;

/** In an upsert: the values of these columns that were to be inserted. */
export function inserted<Table extends keyof Tables, Name extends keyof Tables[Table] & string>(
  _table: Table,
  ...names: readonly Name[]
) {
  const values = names.map((name) => [name, sql.ref(`excluded.${name}`)]);
  return Object.fromEntries(values) as Record<Name, RawBuilder<never>>;
}

/** When the transaction began. */
export const now = sql<string>`now()`;
