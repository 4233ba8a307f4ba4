import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { statementBuilder } from '#postgres-access';
import type { entities } from '../entities.ts';

type Described = InferKyselyDB<(typeof entities)[number], { columnNamingStrategy: 'property' }>;

/** By entity, with the columns of the only relation that has several. */
export type Tables = Described & { form_version: { organization_id: string; hash: Uint8Array } };

export type TableName = keyof Tables;

export const tables = statementBuilder<Tables>();

/** For comparisons: equal to one of the values. */
export const anyOf = <Value>(values: readonly Value[]) => sql<Value>`any(${values})`;

/** A value as JSON. */
export const jsonb = <Value>(text: string | null) => sql<Value>`${text}::jsonb`;

/** For upserts: the values that were to be inserted. */
export function inserted<Table extends keyof Tables, Name extends keyof Tables[Table] & string>(
  _table: Table,
  ...names: readonly Name[]
) {
  const values = names.map((name) => [name, sql.ref(`excluded.${name}`)]);
  return Object.fromEntries(values) as Record<Name, RawBuilder<never>>;
}

/** When the transaction began. */
export const now = sql<string>`now()`;
