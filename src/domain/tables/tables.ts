import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { statementBuilder } from '../../engine/statement.ts';
import type { entities } from '../entities.ts';

/** Every table, as its entity describes it. */
type Tables = InferKyselyDB<(typeof entities)[number], { columnNamingStrategy: 'property' }>;

/** Builds statements on the tables. */
export const tables = statementBuilder<Tables>();

/** When the transaction began. */
export const now = sql<string>`now()`;
