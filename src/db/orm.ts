import { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { type Connections, openPool, Replicas, reportLosses } from '#postgres-access';
import { type ConnectionOptions, ormOptions, poolOptions } from './options.ts';

/** The maximum number of concurrent exports in this process. */
const snapshotConnections = 4;

export interface OrmConnections extends Connections {
  /** To the primary, for reads that may take minutes; opened on demand. */
  snapshots: Pool;
}

export type Orm = MikroORM & { connections: OrmConnections };

/** Creates the ORM, which the caller closes. It connects to the primary with the first statement, and checks the replicas. */
export async function createOrm(options: ConnectionOptions): Promise<Orm> {
  const orm = await MikroORM.init(ormOptions(options));
  const pool = await orm.driver.getConnection().getNativeClient();
  // the ORM also handles these errors, but silently
  reportLosses(pool, options.warn);
  const replicas = openReplicas(options, pool);
  const snapshots = openPool(snapshotOptions(options, pool), options.warn);
  const close = orm.close.bind(orm);
  orm.close = async (force) => {
    await close(force);
    await replicas?.close();
    // the ORM ends the pool only if its query builder has used it
    if (!pool.ending) await pool.end();
    await snapshots.end();
  };
  return Object.assign(orm, { connections: { primary: pool, replicas, snapshots } });
}

/** Connections for exports, idle for as long as a client does not read. */
function snapshotOptions(options: ConnectionOptions, primary: Pool) {
  const { types } = primary.options;
  const settings = {
    ...options,
    poolSize: snapshotConnections,
    // cursors keep their portals open
    pipeline: false,
    statementTimeout: 0,
    writeTimeout: 600_000,
    idleInTransactionTimeout: 0,
  };
  return { ...poolOptions(options.url, settings), locate: options.locate, ...(types && { types }) };
}

/** The connection for health checks of a replica. */
const probing = { poolSize: 1, statementTimeout: 2_000, connectionTimeout: 3_000 };

/** The ORM itself would send reads to dead replicas, and reads of sessions to ones that lag. */
function openReplicas(options: ConnectionOptions, primary: Pool): Replicas | null {
  const { replicaUrls = [], replicaMaxLag: maxLag = 10, warn = () => undefined } = options;
  if (replicaUrls.length === 0) return null;
  // the primary's parsers of values
  const types = primary.options.types;
  const connections = replicaUrls.map((url) => ({
    name: new URL(url).host,
    pool: openPool({ ...poolOptions(url, options), ...(types && { types }) }),
    probe: openPool(poolOptions(url, { ...probing, pooler: options.pooler ?? null })),
  }));
  return new Replicas(connections, { primary, maxLag, warn });
}
