import type { EntityManager } from '@mikro-orm/postgresql';
import type * as access from '#postgres-access';

/**
 * PostgreSQL for one request, job or command. Reads are SQL statements, because hydrating entities would dominate the cost of a
 * list. Writes go through entities, in a transaction.
 */
export type Database = access.Database<EntityManager>;

/** The database within one transaction. */
export type UnitOfWork = access.Transaction<EntityManager>;
