import type { Pool } from 'pg';
import type { Replicas } from './replicas.ts';

/** The connections of an ORM: the pool that entities use, without the query builder, and those to replicas. */
export interface Connections {
  primary: Pool;
  replicas: Replicas | null;
  /** To the primary, for reads that may take minutes; opened on demand. */
  snapshots: Pool;
}

const byDriver = new WeakMap<object, Connections>();

/** Registers the connections of an ORM. */
export function useConnections(orm: { driver: object }, connections: Connections): void {
  byDriver.set(orm.driver, connections);
}

/** The connections of an ORM that `createOrm` made. */
export function connectionsOf(orm: { driver: object }): Connections {
  const connections = byDriver.get(orm.driver);
  if (!connections) throw new Error('createOrm did not make this ORM');
  return connections;
}
