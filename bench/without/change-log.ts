import sql, { type Sql } from 'sql-template-tag';
import type { Transaction } from '../../src/engine/transaction.ts';

/** Writes are not recorded in the log of changes, and wake nobody who reads it. */
export const logOf = ({ db }: Transaction) => ({
  add: () => undefined,
  addAccepted: () => undefined,
  beside: (first: Sql, last?: Sql) => void db.run(last ? sql`with beside as (${first}) ${last}` : first),
});
export const recordEventChange = () => undefined;
export const recordSubscriptionChange = () => undefined;
export const acceptedBy = () => 0;
export const mostChanges = 0;
