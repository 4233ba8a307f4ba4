import type { Sql } from 'sql-template-tag';
import type { Database } from '../../src/engine/database.ts';

/** Runs a statement in place of the database. */
export type Send = (statement: { text: string; values: unknown[] }) => Promise<{ rows: unknown[] }>;

/** A database whose every statement is run by `send`. */
export function databaseOf(send: Send): Database {
  const rows = async <Row>(statement: unknown) => (await send(statement as Sql)).rows as Row[];
  return {
    rows,
    row: async <Row>(statement: unknown) => (await rows<Row>(statement))[0],
    run: async (statement) => void (await rows(statement)),
    transaction: () => Promise.reject(new Error('there are no transactions here')),
  };
}
