import type { Pool, PoolClient } from 'pg';
import Cursor from 'pg-cursor';
import { Delivery, rememberedTime, SlowReaders } from '#slow-readers';
import type { Statement } from '../../engine/database.ts';
import type { Snapshot, SnapshotRequest, Snapshots } from '../../engine/snapshot.ts';
import { DomainError } from '../../kernel/errors.ts';
import { inTurn, Turns } from '../../kernel/turns/turns.ts';
import { cancelRunning, SessionClient } from './session.ts';
import { rowsOn } from './statement.ts';

/** Milliseconds that a snapshot may last (reference/calendars-and-exports.md#limits-of-exports). */
const longest = 600_000;
const mode = 'isolation level repeatable read read only';
/** The maximum number of concurrent snapshots per user, across all processes. */
const slotsOfUser = 2;

/** Each snapshot is a read-only transaction on a connection of the pool. */
export class PoolSnapshots implements Snapshots {
  readonly #pool: Pool;
  readonly #turns: Turns;
  readonly #slowReaders: SlowReaders;

  constructor(pool: Pool) {
    this.#pool = pool;
    const { max: connections, connectionTimeoutMillis: patience = 0 } = pool.options;
    this.#turns = new Turns({ connections, userShare: 100, organizationShare: 100, patience });
    this.#slowReaders = new SlowReaders(connections);
  }

  async read<Result>(ctx: SnapshotRequest, work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    const stopWaiting = this.#slowReaders.makeRoom(ctx.membership?.organizationId ?? null);
    try {
      // one organization never has the last connection (note 0030)
      return await inTurn(ctx, this.#turns, () => {
        stopWaiting();
        return this.#onConnection(ctx, work);
      });
    } finally {
      stopWaiting();
    }
  }

  async #onConnection<Result>(ctx: SnapshotRequest, work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    const userId = ctx.viewer?.userId ?? '';
    ctx.waits.requireClient();
    const client = await this.#pool.connect();
    const { promise: given, reject: giveUp } = Promise.withResolvers<never>();
    given.catch(() => undefined);
    let over: Error | undefined;
    // a cursor may not notice a lost connection, and code that waits for the client notices it late
    const lose = (why: Error) => {
      over ??= why;
      giveUp(over);
    };
    let cancelled: Promise<boolean> | undefined;
    const end = (why: Error) => {
      cancelled ??= cancelRunning(client);
      lose(why);
    };
    client.on('error', lose);
    const late = setTimeout(() => end(new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 60 })), longest);
    ctx.waits.add(end);
    const delivery = new Delivery(rememberedTime);
    const unwatch = this.#slowReaders.watch({
      party: ctx.membership?.organizationId ?? null,
      delivery,
      end: () => {
        ctx.log.warn({ requestId: ctx.client.requestId, userId }, 'an export was ended: its client reads too slowly');
        end(new DomainError('RATE_LIMITED', { detail: 'The export was read too slowly.', retryAfter: 60 }));
      },
    });
    let broken = true;
    try {
      ctx.waits.requireClient();
      await client.query(client instanceof SessionClient ? client.beginning(mode) : `begin ${mode}`);
      // the first statement decides what the snapshot shows
      if (!ctx.services.limits.enabled) await client.query('select 1');
      else if (!(await takeSlot(client, userId))) {
        await client.query('rollback');
        broken = false;
        const detail = `A user can run at most ${slotsOfUser} exports at once.`;
        throw new DomainError('RATE_LIMITED', { detail, retryAfter: 10 });
      }
      const result = await Promise.race([work({ delivery, ...snapshotOn(client, () => over) }), given]);
      await client.query('commit');
      broken = false;
      return result;
    } finally {
      clearTimeout(late);
      unwatch();
      ctx.waits.delete(end);
      await cancelled;
      client.off('error', lose);
      client.release(broken);
    }
  }
}

/** Takes one of the user's slots until the transaction ends; false if there is none. */
async function takeSlot(client: PoolClient, userId: string): Promise<boolean> {
  for (let slot = 0; slot < slotsOfUser; slot += 1) {
    const text = 'select pg_try_advisory_xact_lock(hashtextextended($1, $2)) as taken';
    const { rows } = await client.query<{ taken: boolean }>(text, [`snapshot ${userId}`, slot]);
    if (rows[0]?.taken) return true;
  }
  return false;
}

/** A snapshot for a command, which has no clients to wait for. @param client without statement timeout */
export async function readOneMoment<Result>(
  client: PoolClient,
  work: (snapshot: Omit<Snapshot, 'delivery'>) => Promise<Result>,
): Promise<Result> {
  await client.query(`begin ${mode}`);
  try {
    return await work(snapshotOn(client, () => undefined));
  } finally {
    await client.query('rollback');
  }
}

/** @param over why the snapshot has ended, if it has: rows read after that must not be sent */
function snapshotOn(client: PoolClient, over: () => Error | undefined): Omit<Snapshot, 'delivery'> {
  return {
    rows: (statement) => rowsOn(client, statement),
    async *batches<Row>({ sql, parameters }: Statement<Row>, size: number) {
      const cursor = client.query(new Cursor<Row>(sql, [...parameters]));
      const read = () => {
        const batch = cursor.read(size);
        // awaited later, or never if the client disconnects in the meantime
        batch.catch(() => undefined);
        return batch;
      };
      // PostgreSQL reads the next batch while this one is being sent
      let next = read();
      while (true) {
        const rows = await next;
        const reason = over();
        if (reason) throw reason;
        const isLast = rows.length < size;
        if (!isLast) next = read();
        if (rows.length > 0) yield rows;
        if (isLast) return;
      }
    },
  };
}
