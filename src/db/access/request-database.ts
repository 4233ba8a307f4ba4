import type { MikroORM } from '@mikro-orm/postgresql';
import pg, { type Pool } from 'pg';
import type { Context } from '../../engine/context.ts';
import type { UnitOfWork } from '../../engine/database.ts';
import { ClientGone } from '../../kernel/client-waits.ts';
import { DomainError } from '../../kernel/errors.ts';
import { takeTurn } from '../../kernel/take-turn.ts';
import type { Work } from '../../kernel/turns.ts';
import { cancelRunning } from './cancel.ts';
import { Load, type LoadMemory, LoadPart, NoRoom } from './load.ts';
import type { PoolTurns } from './pool-turns.ts';
import { type Read, ServiceDatabase } from './service-database.ts';
import type { Row } from './statement.ts';

export interface RequestDatabaseOptions {
  orm: MikroORM;
  /** Decides who gets the connections of a pool. */
  turns: PoolTurns;
  /** Decides who may hold large values. */
  memory: LoadMemory;
}

/**
 * The database of one request: its statements take turns with those of other users and organizations, and end when its
 * client disconnects. After a write it reads from the primary. What it loads is bounded; a statement or a transaction for
 * which there is no room runs again once there is.
 */
export class RequestDatabase extends ServiceDatabase {
  readonly #ctx: Context;
  readonly #options: RequestDatabaseOptions;
  readonly #load: Load;
  #transactions = 0;
  #reads = 0;
  #wrote = false;
  #ended = false;

  constructor(ctx: Context, options: RequestDatabaseOptions) {
    super(options.orm);
    this.#ctx = ctx;
    this.#options = options;
    this.#load = new Load(ctx, options.memory);
  }

  /** Nothing more is done with what was loaded, once what still runs has ended. */
  end(): void {
    this.#ended = true;
    this.#release();
  }

  /** Runs a transaction in its turn; retries it if it was aborted by a deadlock. */
  override async transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    this.#wrote = true;
    return await this.#whileThereIsRoom(async () => {
      const turn = await this.#takeTurn(this.connections.primary, 'write');
      this.#transactions += 1;
      try {
        return await againAfterDeadlock(() => this.#counted((part) => super.transaction(work, part)));
      } finally {
        this.#transactions -= 1;
        turn?.end();
        this.#release();
      }
    });
  }

  protected override async read(pool: Pool, read: Read): Promise<Row[]> {
    return await this.#whileThereIsRoom(async () => {
      this.#ctx.waits.requireClient();
      const turn = await this.#takeTurn(pool, read.work);
      this.#reads += 1;
      try {
        return await this.#counted((part) => this.#execute(pool, read, part));
      } finally {
        this.#reads -= 1;
        turn?.end();
        this.#release();
      }
    });
  }

  protected override user(): string | null {
    return this.#ctx.viewer?.userId ?? this.#ctx.tokenUserId;
  }

  protected override mayLag(): boolean {
    return !this.#wrote;
  }

  /** No turn is taken beside a transaction of the same request: it could wait for that transaction to end. */
  async #takeTurn(pool: Pool, work: Work) {
    return this.#transactions > 0 ? null : await takeTurn(this.#ctx, this.#options.turns.of(pool), work);
  }

  /** Runs it again after waiting for room, if it needs that: without a connection, since others may have to end first. */
  async #whileThereIsRoom<Result>(run: () => Promise<Result>): Promise<Result> {
    while (true) {
      if (this.#transactions === 0) this.#load.makeWay();
      try {
        return await run();
      } catch (error) {
        // beside a transaction that would hold a connection, and is itself run again
        if (!(error instanceof NoRoom) || this.#transactions > 0) throw error;
      }
      await this.#load.waitForRoom();
    }
  }

  async #counted<Result>(run: (part: LoadPart) => Promise<Result>): Promise<Result> {
    const part = new LoadPart(this.#load);
    try {
      return await run(part);
    } catch (error) {
      part.drop();
      if (part.refusal && !(part.refusal instanceof NoRoom)) {
        const { client, log, membership } = this.#ctx;
        log.warn({ requestId: client.requestId, membership, user: this.user() }, 'a request loads more than it may');
      }
      throw error;
    }
  }

  #release(): void {
    if (this.#ended && this.#reads === 0 && this.#transactions === 0) this.#load.end();
  }

  async #execute(pool: Pool, { statement, values, endsEarly }: Read, part: LoadPart): Promise<Row[]> {
    const { waits } = this.#ctx;
    const client = await pool.connect();
    let isGone = false;
    let cancelling: Promise<boolean> | undefined;
    const stop = () => {
      cancelling ??= cancelRunning(client);
    };
    const cancel = () => {
      isGone = true;
      stop();
    };
    waits.add(cancel);
    let broken = false;
    try {
      waits.requireClient();
      return (await statement.runOn(client, values, { part, endsEarly, stop })).rows;
    } catch (error) {
      broken = breaksConnection(error);
      throw isGone ? new ClientGone() : error;
    } finally {
      waits.delete(cancel);
      // until the server has processed it, it could hit the next statement of the connection
      if (cancelling && !(await cancelling)) broken = true;
      client.release(broken);
    }
  }
}

/** How often a transaction is attempted if PostgreSQL aborts it to resolve a deadlock. */
const attempts = 3;

/**
 * No command deadlocks with another, because all take their locks in one order (docs/decisions/0035). Several mutations of
 * one transaction take them in the client's order, so PostgreSQL may have to abort one of two, of which nothing was written.
 */
async function againAfterDeadlock<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const isDeadlock = error instanceof Error && Reflect.get(error, 'code') === '40P01';
      if (!isDeadlock || attempt === attempts) throw error;
    }
  }
}

/** Whether an error makes the connection unusable: only if the server is about to close it. */
function breaksConnection(error: unknown): boolean {
  if (error instanceof DomainError) return false;
  return !(error instanceof pg.DatabaseError) || /^(08|25P0[34]|57P0)/.test(error.code ?? '');
}
