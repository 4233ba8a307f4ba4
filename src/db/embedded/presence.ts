import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Cluster } from './cluster.ts';
import { connect, ownerUrl, superuserUrl } from './connect.ts';
import { prepareDatabase } from './owner.ts';

/** The advisory lock that all processes using the server share. */
const lock = 7_105_118_101;
/** Milliseconds for which the server may still list a closed connection. */
const lingering = 1_500;

/**
 * Why a server could not be joined: it is not running, it is starting or stopping, or it belongs to another cluster.
 */
export type Refusal = 'absent' | 'busy' | 'foreign';

/**
 * A connection with a shared lock that stays open while this process uses the server. A process that leaves requests
 * the exclusive lock: if it gets it, it is the last one and stops the server. New processes wait until that is decided.
 */
export class Presence {
  readonly #client: Client;
  /** Resolves when the connection ends: the server died, was restarted, or {@link close} was called. */
  readonly lost: Promise<void>;
  #isLost = false;

  private constructor(client: Client) {
    this.#client = client;
    this.lost = new Promise((resolve) => {
      client.once('end', () => {
        this.#isLost = true;
        resolve();
      });
    });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * Connects to the server on `port`, and creates the service's role and database if missing.
   *
   * @throws Error for any reason other than a server that is down, such as too many connections
   */
  static async join(cluster: Cluster, port: number): Promise<Presence | Refusal> {
    let admin: Client | undefined;
    let client: Client | undefined;
    try {
      admin = await connect(superuserUrl(cluster, port), 'events-gateway start');
      if (!(await serves(admin, cluster))) return 'foreign';
      await prepareDatabase(admin, cluster, port);
      client = await connect(ownerUrl(cluster, port, 'postgres'), 'events-gateway presence');
      const presence = new Presence(client);
      await client.query('select pg_advisory_lock_shared($1)', [lock]);
      return presence;
    } catch (error) {
      await client?.end();
      return refusal(error);
    } finally {
      // only once the lock is held, so that a process that is leaving sees that it is not the last
      await admin?.end();
    }
  }

  /** Whether no other process uses the server. If so, new processes wait until this connection closes. */
  async isLast(): Promise<boolean> {
    await this.#client.query('select pg_advisory_unlock_shared($1)', [lock]);
    const { rows } = await this.#client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [lock]);
    if (!rows[0]?.alone) return false;
    for (const end = Date.now() + lingering; ; await sleep(25)) {
      // clients have a user and a database; nothing else about other users' connections is visible
      const others = await this.#client.query(
        'select from pg_stat_activity where usesysid is not null and datid is not null and pid <> pg_backend_pid()',
      );
      if (others.rowCount === 0) return true;
      if (Date.now() > end) return false;
    }
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

async function serves(admin: Client, cluster: Cluster): Promise<boolean> {
  const { rows } = await admin.query<{ dir: string }>(`select current_setting('data_directory') as dir`);
  return rows[0] !== undefined && (await realpath(rows[0].dir)) === (await realpath(cluster.data));
}

function refusal(error: unknown): Refusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED') return 'absent';
  // wrong password or no such user: another server has the port now
  if (code.startsWith('28')) return 'foreign';
  // starting up, shutting down, or gone while we connected
  const going = error instanceof Error && /terminat|ended|timeout/i.test(error.message);
  if (code.startsWith('57P') || code === 'ECONNRESET' || code === 'EPIPE' || going) return 'busy';
  throw error;
}
