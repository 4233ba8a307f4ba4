import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';
import { type Cluster, superuser } from './cluster.ts';

/** Names the lock that everybody who uses the server shares while he does. */
const lock = 7_105_118_101;
/** How long a connection that was just closed may still be seen by the server, in milliseconds. */
const lingering = 1_500;

/** Why a server could not be joined: it is not there, it is about to start or stop, or it is not this cluster's. */
export type Refusal = 'absent' | 'busy' | 'foreign';

/**
 * One connection that stays open as long as this process uses the server, holding a shared lock. Whoever leaves asks
 * for the lock alone: who gets it is the last and stops the server, and a newcomer waits until that is decided.
 */
export class Presence {
  readonly #orm: MikroORM;
  readonly #client: PoolClient;

  private constructor(orm: MikroORM, client: PoolClient) {
    this.#orm = orm;
    this.#client = client;
  }

  /**
   * Connects to the server on `port`.
   *
   * @throws Error that is no matter of the server's being there, such as too many connections
   */
  static async join(cluster: Cluster, port: number): Promise<Presence | Refusal> {
    const url = serverUrl(cluster, port, 'postgres');
    const orm = await MikroORM.init({
      clientUrl: url,
      entities: [],
      discovery: { warnWhenNoEntities: false },
      ensureDatabase: false,
      logger: () => undefined,
      driverOptions: {
        connectionString: url,
        max: 1,
        application_name: 'events-gateway presence',
        allowExitOnIdle: true,
      },
    });
    try {
      const pool = await orm.driver.getConnection().getNativeClient();
      const client = await pool.connect();
      const presence = new Presence(orm, client);
      if (!(await presence.#serves(cluster))) {
        await presence.close();
        return 'foreign';
      }
      await client.query('select pg_advisory_lock_shared($1)', [lock]);
      return presence;
    } catch (error) {
      await orm.close(true);
      return refusal(error);
    }
  }

  async #serves(cluster: Cluster): Promise<boolean> {
    const { rows } = await this.#client.query<{ dir: string }>(`select current_setting('data_directory') as dir`);
    return rows[0] !== undefined && (await realpath(rows[0].dir)) === (await realpath(cluster.data));
  }

  /** Makes the database where there is none. */
  async ensureDatabase(name: string): Promise<void> {
    const { rowCount } = await this.#client.query('select from pg_database where datname = $1', [name]);
    if (rowCount) return;
    await this.#client.query(`create database "${name}"`).catch((error: Error) => {
      // two starts at once: the other one made it
      if (!('code' in error && (error.code === '42P04' || error.code === '23505'))) throw error;
    });
  }

  /** Whether nobody else uses the server. From a yes on, newcomers wait until this connection closes. */
  async isLast(): Promise<boolean> {
    await this.#client.query('select pg_advisory_unlock_shared($1)', [lock]);
    const { rows } = await this.#client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [lock]);
    if (!rows[0]?.alone) return false;
    for (const end = Date.now() + lingering; ; await sleep(25)) {
      const others = await this.#client.query(
        `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      if (others.rowCount === 0) return true;
      if (Date.now() > end) return false;
    }
  }

  async close(): Promise<void> {
    this.#client.release(true);
    await this.#orm.close(true);
  }
}

/** The URL of one database of the server. */
export function serverUrl(cluster: Cluster, port: number, database: string): string {
  return `postgres://${superuser}:${encodeURIComponent(cluster.password)}@127.0.0.1:${port}/${database}`;
}

function refusal(error: unknown): Refusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED') return 'absent';
  // wrong password or no such user: the port now belongs to another server
  if (code.startsWith('28')) return 'foreign';
  // starting up, shutting down, or gone while we were let in
  const going = error instanceof Error && /terminat|ended|timeout/i.test(error.message);
  if (code.startsWith('57P') || code === 'ECONNRESET' || code === 'EPIPE' || going) return 'busy';
  throw error;
}
