import type { Pool } from 'pg';
import { ConnectionFailure } from './connection-failure.ts';
import type { LastWrites, LogPosition } from './last-writes.ts';
import { Replica, type ReplicaConnections, type ReplicaMeasure } from './replica.ts';

/** What replicas know of their primary. */
interface ReplicaOptions extends ReplicaMeasure {
  lastWrites: LastWrites;
  /** Receives a message when a replica is lost or behind, and when it is back. */
  warn: (message: string) => void;
}

/**
 * The read replicas of a primary (note 0027). Reads go round robin to those that respond; a read that fails because of its
 * replica is retried on the others, and finally on the primary. Each replica is checked every second, which bounds how long
 * a hanging one can delay a read, and tells how far it has come: users read their own writes (note 0073).
 */
export class Replicas {
  readonly lastWrites: LastWrites;
  readonly warn: (message: string) => void;
  readonly #replicas: Replica[];
  readonly #measure: ReplicaMeasure;
  #turn = 0;

  constructor(connections: ReplicaConnections[], { lastWrites, warn, ...measure }: ReplicaOptions) {
    this.lastWrites = lastWrites;
    this.warn = warn;
    this.#measure = measure;
    this.#replicas = connections.map((each) => new Replica(each, measure, warn));
  }

  get count(): number {
    return this.#replicas.length;
  }

  /** How many are in use: they respond and are not too far behind. */
  get answering(): number {
    return this.countIn('used');
  }

  countIn(state: Replica['state']): number {
    return this.#replicas.filter((replica) => replica.state === state).length;
  }

  /**
   * Reads from a replica, or from another one, or from the primary.
   *
   * @param ask must be safe to repeat: a read
   * @param position how far the replica must have come
   */
  async read<Result>(
    ask: (pool: Pool) => Promise<Result>,
    askPrimary: () => Promise<Result>,
    position: LogPosition,
  ): Promise<Result> {
    this.#turn = (this.#turn + 1) % this.#replicas.length;
    for (const replica of [...this.#replicas.slice(this.#turn), ...this.#replicas.slice(0, this.#turn)]) {
      if (!replica.serves(position)) continue;
      try {
        return await replica.read(ask);
      } catch (error) {
        if (isLost(error)) replica.suspect();
        else if (!isBehind(error)) throw error;
      }
    }
    return await askPrimary();
  }

  /** How far each is behind; null if it does not respond. */
  lags(): { name: string; seconds: number | null }[] {
    return this.#replicas.map(({ name, lag: seconds }) => ({ name, seconds }));
  }

  async close(): Promise<void> {
    await Promise.all([this.#measure.log, ...this.#replicas].map((each) => each.close()));
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
