import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { statementBuilder } from '../../engine/statement.ts';
import type { entities } from '../entities.ts';

/** Every table, as its entity describes it. */
type Tables = InferKyselyDB<(typeof entities)[number], { columnNamingStrategy: 'property' }>;

/** Builds statements on the tables. */
export const tables = statementBuilder<Tables>();

/** In a comparison: equal to one of the values. */
export const anyOf = <Value>(values: readonly Value[]) => sql<Value>`any(${values})`;

/** When the transaction began. */
export const now = sql<string>`now()`;
