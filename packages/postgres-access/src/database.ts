import pg, { type Pool, type PoolClient } from 'pg';
import { cancelRunning, type Row, type Settle } from './driver.ts';
import { Execution, type RequestLimits, type Turn } from './execution.ts';
import { keptName } from './kept-names.ts';
import { anywhere, type LogPosition, primaryOnly, type Replicas } from './replicas.ts';
import type { Statement } from './statement.ts';
import { Database, type ReadOptions, Transaction, type UnitOfWork } from './transaction.ts';

export interface Connections {
  primary: Pool;
  replicas: Replicas | null;
}

/** A statement outside transactions. */
type Read = ReadOptions & { statement: Statement };

/**
 * The database for one request, or for a job or command. The statements of a request take turns, are cancelled when its client
 * leaves, and after a write read from the primary. The size of the loaded rows is limited; a statement or transaction for
 * which there is no memory is retried once there is.
 */
export class PostgresDatabase<Em extends UnitOfWork> extends Database<Em> {
  readonly #em: Em;
  readonly #connections: Connections;
  readonly #limits: RequestLimits | null;
  #transactions = 0;
  readonly #isInside = () => this.#transactions > 0;
  #reads = 0;
  #wrote = false;
  #seen: Promise<LogPosition> | null = null;
  #ended = false;

  /** @param limits those of a request; null for a job or command, which has none */
  constructor({ em, connections }: { em: Em; connections: Connections }, limits: RequestLimits | null = null) {
    super();
    this.#em = em;
    this.#connections = connections;
    this.#limits = limits;
  }

  /** Releases the memory of the loaded rows, once the running statements have ended. */
  end(): void {
    this.#ended = true;
    this.#release();
  }

  override async rows<Row>(query: Statement<Row>, options: ReadOptions = {}): Promise<Row[]> {
    const { from, prepared = false } = options;
    const name = query.name ?? (prepared ? keptName(query.sql, this.#limits?.userId ?? null) : '');
    const read = { ...options, statement: { ...query, name } };
    const ask = async (pool: Pool) => (await this.#withRoom(() => this.#read(pool, read))) as Row[];
    const { primary, replicas } = this.#connections;
    if (from !== 'read' || !replicas || replicas.answering === 0) return await ask(primary);
    return await replicas.read(ask, await this.#mustHave(replicas));
  }

  override async transaction<Result>(work: (transaction: Transaction<Em>) => Promise<Result>): Promise<Result> {
    const limits = this.#limits;
    if (!limits) return await this.#begin(work);
    this.#wrote = true;
    return await limits.withRoom(async () => {
      // a second transaction of the same request takes no turn: it could wait for the first one to end
      const takeTurn = () =>
        new Promise<Turn>((take, refuse) => limits.onTurn(this.#connections.primary, 'write', take, refuse));
      const turn = this.#transactions > 0 ? null : await takeTurn();
      this.#transactions += 1;
      try {
        return await retryAfterDeadlock(() => this.#begin(work));
      } finally {
        this.#transactions -= 1;
        turn?.end();
        this.#release();
      }
    }, this.#isInside);
  }

  async #begin<Result>(work: (transaction: Transaction<Em>) => Promise<Result>): Promise<Result> {
    const { primary, replicas } = this.#connections;
    const client = await primary.connect();
    return await new Transaction(client, this.#em.fork(), this.#limits, replicas).complete(work);
  }

  /** How far a replica must have come: users read their own writes, to any process. */
  async #mustHave({ lastWrites }: Replicas): Promise<LogPosition> {
    const { writer = null } = this.#limits ?? {};
    if (writer === null || this.#wrote) return this.#wrote ? primaryOnly : anywhere;
    this.#seen ??= lastWrites.of(writer);
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
    const limits = this.#limits;
    if (limits?.waits.gone) throw limits.waits.gone;
    if (!limits || this.#transactions > 0) connect(null);
    else limits.onTurn(pool, read.work ?? 'quick', connect, answer.reject);
    return answer.promise;
  }

  #execute(client: PoolClient, turn: Turn | null, read: Read, answer: PromiseWithResolvers<Row[]>): void {
    const limits = this.#limits;
    const release = (broken: boolean) => {
      client.release(broken);
      turn?.end();
    };
    if (limits?.waits.gone) {
      release(false);
      answer.reject(limits.waits.gone);
      return;
    }
    const loading = limits?.load(read.endsEarly);
    let cancelling: Promise<boolean> | undefined;
    const cancel = () => {
      cancelling ??= cancelRunning(client);
    };
    const span = limits?.usage.beginStatement(read.statement.sql);
    const settle: Settle = async (error, result) => {
      limits?.waits.delete(cancel);
      span?.end(error ?? undefined);
      if (error) loading?.drop();
      // until it is processed, a cancel request could cancel the next statement of the connection
      const isFree = cancelling === undefined || (await cancelling);
      this.#reads -= 1;
      release(!isFree || (Boolean(error) && error !== loading?.refusal && breaksConnection(error)));
      this.#release();
      if (error) answer.reject(limits?.waits.gone ?? error);
      else answer.resolve(result?.rows ?? []);
    };
    this.#reads += 1;
    limits?.waits.add(cancel);
    const { statement, settings } = read;
    client.query(new Execution(statement, { loading, settings, stop: cancel }, settle));
  }

  #withRoom<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.#limits ? this.#limits.withRoom(run, this.#isInside) : run();
  }

  #release(): void {
    if (this.#ended && this.#reads === 0 && this.#transactions === 0) this.#limits?.end();
  }
}

/** Whether a connection is unusable after an error: of the server's errors, only those that close it. */
function breaksConnection(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|25P0[34]|57P0)/.test(error.code ?? '');
}

/** The maximum number of attempts at a transaction that PostgreSQL aborts to resolve a deadlock. */
const attempts = 3;

/** Commands take their locks in one order, but several mutations in one transaction take them in the client's. */
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
