export type { Pool, PoolClient } from 'pg';
export { type Connections, PostgresDatabase } from './database.ts';
export { ConnectionFailure, cancelRunning } from './driver.ts';
export * from './execution.ts';
export { anywhere, forgetForeignWrites, LastWrites, noteWrite, primaryOnly, Replicas } from './replicas.ts';
export * from './session.ts';
export * from './snapshot.ts';
export * from './statement.ts';
export * from './transaction.ts';
