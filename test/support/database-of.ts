import type { Database, Statement } from '../../src/engine/database.ts';

/** Runs a statement in place of the database. */
export type Send = (statement: { text: string; values: unknown[] }) => Promise<{ rows: unknown[] }>;

/** A database whose every statement is run by `send`. */
export function databaseOf(send: Send): Database {
  const rows = async <Row>(query: Statement<Row>) => {
    return (await send({ text: query.sql, values: [...query.parameters] })).rows as Row[];
  };
  return {
    rows,
    row: async <Row>(statement: Statement<Row>) => (await rows<Row>(statement))[0],
    run: async (statement) => void (await rows(statement)),
    transaction: () => Promise.reject(new Error('there are no transactions here')),
  };
}
