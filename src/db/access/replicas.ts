import type { Pool } from 'pg';
import { ConnectionFailure } from './connection-failure.ts';
import { Replica, type ReplicaConnections } from './replica.ts';

/**
 * The read replicas of a primary (note 0027). Reads go round robin to those that respond; a read that fails because of its
 * replica is retried on the others, and finally on the primary. Each replica is checked every second, which bounds how long
 * a hanging one can delay a read.
 */
export class Replicas {
  readonly #replicas: Replica[];
  #turn = 0;

  /** @param warn receives a message when a replica is lost and when it is back */
  constructor(connections: ReplicaConnections[], warn: (message: string) => void) {
    this.#replicas = connections.map((each) => new Replica(each, warn));
  }

  get count(): number {
    return this.#replicas.length;
  }

  /** How many respond. */
  get answering(): number {
    return this.#replicas.filter((replica) => replica.answers).length;
  }

  /**
   * Reads from a replica, or from another one, or from the primary.
   *
   * @param ask must be safe to repeat: a read
   */
  async read<Result>(ask: (pool: Pool) => Promise<Result>, askPrimary: () => Promise<Result>): Promise<Result> {
    this.#turn = (this.#turn + 1) % this.#replicas.length;
    for (const replica of [...this.#replicas.slice(this.#turn), ...this.#replicas.slice(0, this.#turn)]) {
      if (!replica.answers) continue;
      try {
        return await replica.read(ask);
      } catch (error) {
        if (isLost(error)) replica.suspect();
        else if (!isBehind(error)) throw error;
      }
    }
    return await askPrimary();
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }
}

/** SQLSTATEs of a server that cannot serve any request (PostgreSQL, appendix A). */
const lostStates = /^(08...|53...|57P0.|58...|XX...)$/;

/** The driver's messages for a connection that fails or is lost; not that of a pool without a free connection. */
const lostMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|Query read timeout)/;

function isLost(error: unknown): boolean {
  if (error instanceof ConnectionFailure) return true;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return lostStates.test(code) || /^(E[A-Z]+)$/.test(code);
  return lostMessages.test(String(message));
}

/** Whether the read conflicts with replication, or needs a table, column or function that is not replicated yet. */
function isBehind(error: unknown): boolean {
  return ['40001', '42P01', '42703', '42883', '42704'].includes(String((error as { code?: unknown }).code));
}
