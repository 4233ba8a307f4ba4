import type { MikroORM } from '@mikro-orm/postgresql';
import pg, { type Pool } from 'pg';
import type { Context } from '../../engine/context.ts';
import type { UnitOfWork } from '../../engine/database.ts';
import { DomainError } from '../../kernel/errors.ts';
import { ClientGone } from '../../kernel/request.ts';
import { takeTurn } from '../../kernel/turns/turns.ts';
import { cancelRunning } from './cancel.ts';
import type { Connections } from './connections.ts';
import type { Row } from './driver.ts';
import { anywhere, type LogPosition, primaryOnly } from './last-writes.ts';
import { Load, type LoadMemory, LoadPart, NoRoom } from './load.ts';
import type { Replicas } from './replicas.ts';
import { type Read, ServiceDatabase } from './service-database.ts';
import type { Lease, SharedPools } from './shared-pool.ts';

export interface RequestDatabaseOptions {
  orm: MikroORM;
  connections: Connections;
  /** Decide who gets the connections. */
  pools: SharedPools;
  /** Decides who may hold large values. */
  memory: LoadMemory;
}

/**
 * The database of one request: its statements take turns with those of other users and organizations, and are cancelled when
 * its client disconnects. After a write it reads from the primary. The size of the loaded rows is limited; a statement or
 * transaction for which there is no memory is retried once there is.
 */
export class RequestDatabase extends ServiceDatabase {
  readonly #ctx: Context;
  readonly #options: RequestDatabaseOptions;
  readonly #load: Load;
  #transactions = 0;
  #reads = 0;
  #wrote = false;
  #seen: Promise<LogPosition> | null = null;
  #ended = false;

  constructor(ctx: Context, options: RequestDatabaseOptions) {
    super(options.orm, options.connections);
    this.#ctx = ctx;
    this.#options = options;
    this.#load = new Load(ctx, options.memory);
  }

  /** Releases the memory of the loaded rows, once the running statements have ended. */
  end(): void {
    this.#ended = true;
    this.#release();
  }

  /** Runs a transaction when its turn comes; retries it after a deadlock. */
  protected override async begin<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    this.#wrote = true;
    return await this.#withRetries(async () => {
      // a second transaction of the same request takes no turn: it could wait for the first one to end
      const { turns } = this.#options.pools.primary;
      const turn = this.#transactions > 0 ? null : await takeTurn(this.#ctx, turns, 'write');
      this.#transactions += 1;
      try {
        return await retryAfterDeadlock(() => this.#counted((part) => super.begin(work, part)));
      } finally {
        this.#transactions -= 1;
        turn?.end();
        this.#release();
      }
    });
  }

  protected override read(pool: Pool, read: Read): Promise<Row[]> {
    return this.#withRetries(() => this.#attempt(pool, read));
  }

  protected override user(): string | null {
    return this.#ctx.viewer?.userId ?? this.#ctx.tokenUserId;
  }

  /** What the user has written in earlier requests, to any process; within a request, only the primary has what it wrote. */
  protected override async seen({ lastWrites }: Replicas): Promise<LogPosition> {
    const { viewer } = this.#ctx;
    if (!viewer || this.#wrote) return this.#wrote ? primaryOnly : anywhere;
    this.#seen ??= lastWrites.of(viewer.userId);
    const position = await this.#seen;
    return this.#wrote ? primaryOnly : position;
  }

  protected override writer(): string | null {
    return this.#ctx.viewer?.userId ?? null;
  }

  /** Runs a statement once, when its turn comes. */
  #attempt(pool: Pool, read: Read): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#ctx.waits.requireClient();
      const shared = this.#options.pools.of(pool);
      const use = (lease: Lease) => this.#execute(lease, read, resolve, reject);
      if (this.#transactions > 0) shared.leaseAtOnce(use, reject);
      else shared.lease(this.#ctx, read.work, use, reject);
    });
  }

  #execute(lease: Lease, read: Read, resolve: (rows: Row[]) => void, reject: (reason: unknown) => void): void {
    const { waits } = this.#ctx;
    if (waits.isGone) {
      lease.end(false);
      reject(new ClientGone());
      return;
    }
    const { client } = lease;
    const part = new LoadPart(this.#load);
    let isGone = false;
    let cancelling: Promise<boolean> | undefined;
    const stop = () => {
      cancelling ??= cancelRunning(client);
    };
    const cancel = () => {
      isGone = true;
      stop();
    };
    const end = (broken: boolean) => {
      this.#reads -= 1;
      lease.end(broken);
      this.#release();
    };
    const span = this.#ctx.usage.beginStatement(read.statement.text);
    const settle = (error: Error | null | undefined, result?: { rows: Row[] }) => {
      waits.delete(cancel);
      span?.end(error ?? undefined);
      const broken = Boolean(error) && breaksConnection(error);
      if (error) this.#drop(part);
      const answer = () =>
        error ? reject(isGone ? new ClientGone() : error) : resolve((result as { rows: Row[] }).rows);
      if (cancelling) {
        // until the server has processed the cancel request, it could cancel the next statement of the connection
        void cancelling.then((done) => {
          end(broken || !done);
          answer();
        });
        return;
      }
      end(broken);
      answer();
    };
    this.#reads += 1;
    waits.add(cancel);
    read.statement.send(client, read.values, { part, endsEarly: read.endsEarly, stop }, settle);
  }

  /** Retries `run` after waiting for memory if it failed for lack of it. It waits without a connection: others may need one. */
  async #withRetries<Result>(run: () => Promise<Result>): Promise<Result> {
    while (true) {
      if (this.#transactions === 0) this.#load.checkHold();
      try {
        return await run();
      } catch (error) {
        // not within a transaction, which holds a connection and is retried as a whole
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
      this.#drop(part);
      throw error;
    }
  }

  /** Stops counting the rows of a failed statement or transaction. */
  #drop(part: LoadPart): void {
    part.drop();
    if (!part.refusal || part.refusal instanceof NoRoom) return;
    const { client, log, membership } = this.#ctx;
    log.warn({ requestId: client.requestId, membership, user: this.user() }, 'request refused: it loads too much data');
  }

  #release(): void {
    if (this.#ended && this.#reads === 0 && this.#transactions === 0) this.#load.end();
  }
}

/** Whether a connection is unusable after an error: of the server's errors, only those that close it. */
function breaksConnection(error: unknown): boolean {
  if (error instanceof DomainError) return false;
  return !(error instanceof pg.DatabaseError) || /^(08|25P0[34]|57P0)/.test(error.code ?? '');
}

/** The maximum number of attempts at a transaction that PostgreSQL aborts to resolve a deadlock. */
const attempts = 3;

/**
 * Commands do not deadlock with each other, because all take their locks in one order (note 0035). Several mutations in one
 * transaction take them in the client's order, so PostgreSQL may have to abort one of two transactions; it can be retried,
 * since nothing of it was written.
 */
async function retryAfterDeadlock<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const isDeadlock = error instanceof Error && Reflect.get(error, 'code') === '40P01';
      if (!isDeadlock || attempt === attempts) throw error;
    }
  }
}
