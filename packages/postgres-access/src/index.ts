export type { Pool } from 'pg';
export { type Connections, PostgresDatabase } from './database.ts';
export { cancelRunning } from './driver.ts';
export {
  Execution,
  type Loading,
  type Reading,
  type RequestLimits,
  resultOf,
  type Turn,
  type Work,
} from './execution.ts';
export { anywhere, forgetForeignWrites, LastWrites, type LogPosition, noteWrite, primaryOnly } from './last-writes.ts';
export { Replicas } from './replicas.ts';
export {
  askInTime,
  ConnectionFailure,
  openPool,
  type Pooler,
  postgresServers,
  reportLosses,
  SessionClient,
} from './session.ts';
export { readOneMoment, readSnapshot, type Snapshot } from './snapshot.ts';
export {
  built,
  empty,
  prepared,
  preparedStatements,
  type RowOf,
  rowsOn,
  type Statement,
  shaped,
  statementBuilder,
} from './statement.ts';
export { type Database, type ReadOptions, Transaction, type UnitOfWork } from './transaction.ts';
