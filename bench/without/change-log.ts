import type { Sql } from 'sql-template-tag';
import type { Transaction } from '../../src/engine/transaction.ts';

/** Writes are not recorded in the log of changes, and wake nobody who reads it. */
export const logOf = ({ db }: Transaction) => ({
  add: () => undefined,
  addAccepted: () => undefined,
  beside: (insert: Sql) => void db.run(insert),
});
export const recordEventChange = () => undefined;
export const recordSubscriptionChange = () => undefined;
export const acceptedBy = () => 0;
export const mostChanges = 0;
