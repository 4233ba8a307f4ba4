import type { MikroORM } from '@mikro-orm/postgresql';
import pg, { type Pool, type PoolClient } from 'pg';
import type { Turn } from '#fair-turns';
import type { Context } from '../../engine/context.ts';
import type { Database, ReadOptions, Statement, UnitOfWork } from '../../engine/database.ts';
import { DomainError } from '../../kernel/errors.ts';
import { ClientGone } from '../../kernel/request.ts';
import { Load, type LoadMemory, LoadPart, NoRoom } from '../../kernel/turns/load.ts';
import { onTurn, takeTurn, type Work } from '../../kernel/turns/turns.ts';
import type { Row, Settle } from './driver.ts';
import { KeptNames } from './kept-names.ts';
import { anywhere, type LogPosition, primaryOnly } from './last-writes.ts';
import { type Connections, connectionsOf, type PoolTurns } from './pool.ts';
import type { Replicas } from './replicas.ts';
import { cancelRunning } from './session.ts';
import { Execution, type Reading } from './statement.ts';
import { Transaction } from './transaction.ts';

export interface RequestOptions {
  ctx: Context;
  /** Decide who gets the connections. */
  pools: PoolTurns;
  /** Decides who may load much. */
  memory: LoadMemory;
}

const kept = new KeptNames();

/** A statement outside transactions. */
interface Read extends Pick<Reading, 'plannedOnce' | 'endsEarly'> {
  statement: Statement;
  work: Work;
}

/**
 * The database for one request, or for a job or command. The statements of a request take turns, are cancelled when its client
 * disconnects, and after a write read from the primary. The size of the loaded rows is limited; a statement or transaction for
 * which there is no memory is retried once there is.
 */
export class PostgresDatabase implements Database {
  readonly #orm: MikroORM;
  readonly #connections: Connections;
  readonly #request: RequestOptions | null;
  readonly #load: Load | null;
  #transactions = 0;
  #reads = 0;
  #wrote = false;
  #seen: Promise<LogPosition> | null = null;
  #ended = false;

  constructor(orm: MikroORM, request: RequestOptions | null = null) {
    this.#orm = orm;
    this.#connections = connectionsOf(orm);
    this.#request = request;
    this.#load = request && new Load(request.ctx, request.memory);
  }

  /** Releases the memory of the loaded rows, once the running statements have ended. */
  end(): void {
    this.#ended = true;
    this.#release();
  }

  async rows<Row>(query: Statement<Row>, options: ReadOptions = {}): Promise<Row[]> {
    const { from, prepared = false, work = 'quick', endsEarly } = options;
    const { viewer = null, tokenUserId = null } = this.#request?.ctx ?? {};
    const name = query.name ?? (prepared ? kept.of(query.sql, viewer?.userId ?? tokenUserId) : '');
    const statement = { ...query, name };
    const read = { statement, work, endsEarly, plannedOnce: prepared === 'planned once' };
    const ask = async (pool: Pool) => (await this.#withRetries(() => this.#read(pool, read))) as Row[];
    const { primary, replicas } = this.#connections;
    if (from !== 'read' || !replicas || replicas.answering === 0) return await ask(primary);
    return await replicas.read(ask, await this.#mustHave(replicas));
  }

  async row<Row>(query: Statement<Row>, options: ReadOptions = {}): Promise<Row | undefined> {
    return (await this.rows(query, options))[0];
  }

  async run(query: Statement): Promise<void> {
    await this.rows(query);
  }

  async transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    if (!this.#request) return await this.#begin(work);
    const { ctx, pools } = this.#request;
    this.#wrote = true;
    return await this.#withRetries(async () => {
      // a second transaction of the same request takes no turn: it could wait for the first one to end
      const turn = this.#transactions > 0 ? null : await takeTurn(ctx, pools.primary, 'write');
      this.#transactions += 1;
      try {
        return await retryAfterDeadlock(() => this.#begin(work));
      } finally {
        this.#transactions -= 1;
        turn?.end();
        this.#release();
      }
    });
  }

  async #begin<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    const { primary, replicas } = this.#connections;
    const part = this.#load && new LoadPart(this.#load);
    const writer = this.#request?.ctx.viewer?.userId ?? null;
    const client = await primary.connect();
    try {
      const options = { em: this.#orm.em.fork(), part, writer, warn: replicas?.warn ?? null };
      return await new Transaction(client, options).complete(work);
    } catch (error) {
      if (part) this.#drop(part);
      throw error;
    }
  }

  /** How far a replica must have come: users read their own writes, to any process. */
  async #mustHave({ lastWrites }: Replicas): Promise<LogPosition> {
    const viewer = this.#request?.ctx.viewer;
    if (!viewer || this.#wrote) return this.#wrote ? primaryOnly : anywhere;
    this.#seen ??= lastWrites.of(viewer.userId);
    const position = await this.#seen;
    return this.#wrote ? primaryOnly : position;
  }

  /** Runs a statement once, when its turn comes. */
  #read(pool: Pool, read: Read): Promise<Row[]> {
    const answer = Promise.withResolvers<Row[]>();
    const connect = (turn: Turn | null) => {
      pool.connect((error, client) => {
        if (client) return this.#execute(client, turn, read, answer);
        turn?.end();
        answer.reject(error);
      });
    };
    const { ctx, pools } = this.#request ?? {};
    ctx?.waits.requireClient();
    if (!ctx || !pools || this.#transactions > 0) connect(null);
    else onTurn(ctx, pools.of(pool), read.work, connect, answer.reject);
    return answer.promise;
  }

  #execute(client: PoolClient, turn: Turn | null, read: Read, answer: PromiseWithResolvers<Row[]>): void {
    const { waits, usage } = this.#request?.ctx ?? {};
    const release = (broken: boolean) => {
      client.release(broken);
      turn?.end();
    };
    if (waits?.isGone) {
      release(false);
      answer.reject(new ClientGone());
      return;
    }
    const part = this.#load && new LoadPart(this.#load);
    let cancelling: Promise<boolean> | undefined;
    const cancel = () => {
      cancelling ??= cancelRunning(client);
    };
    const span = usage?.beginStatement(read.statement.sql);
    const settle: Settle = async (error, result) => {
      waits?.delete(cancel);
      span?.end(error ?? undefined);
      if (error && part) this.#drop(part);
      // until it is processed, a cancel request could cancel the next statement of the connection
      const isFree = cancelling === undefined || (await cancelling);
      this.#reads -= 1;
      release(!isFree || (Boolean(error) && breaksConnection(error)));
      this.#release();
      if (error) answer.reject(waits?.isGone ? new ClientGone() : error);
      else answer.resolve(result?.rows ?? []);
    };
    this.#reads += 1;
    waits?.add(cancel);
    const { plannedOnce } = read;
    const endsEarly = this.#request ? read.endsEarly : undefined;
    client.query(new Execution(read.statement, { part, plannedOnce, endsEarly, stop: cancel }, settle));
  }

  /** Retries what failed for lack of memory. It waits without a connection, which others may need. */
  async #withRetries<Result>(run: () => Promise<Result>): Promise<Result> {
    while (true) {
      if (this.#transactions === 0) this.#load?.checkHold();
      try {
        return await run();
      } catch (error) {
        // a transaction is retried as a whole
        if (!(error instanceof NoRoom) || this.#transactions > 0) throw error;
      }
      await this.#load?.waitForRoom();
    }
  }

  #drop(part: LoadPart): void {
    part.drop();
    if (!part.refusal || part.refusal instanceof NoRoom || !this.#request) return;
    const { client, log, membership, viewer, tokenUserId } = this.#request.ctx;
    const user = viewer?.userId ?? tokenUserId;
    log.warn({ requestId: client.requestId, membership, user }, 'request refused: it loads too much data');
  }

  #release(): void {
    if (this.#ended && this.#reads === 0 && this.#transactions === 0) this.#load?.end();
  }
}

/** Whether a connection is unusable after an error: of the server's errors, only those that close it. */
function breaksConnection(error: unknown): boolean {
  if (error instanceof DomainError) return false;
  return !(error instanceof pg.DatabaseError) || /^(08|25P0[34]|57P0)/.test(error.code ?? '');
}

/** The maximum number of attempts at a transaction that PostgreSQL aborts to resolve a deadlock. */
const attempts = 3;

/** Commands take their locks in one order (note 0035), but several mutations in one transaction take them in the client's. */
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
