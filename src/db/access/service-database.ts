import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Sql } from 'sql-template-tag';
import type { Database, ReadOptions, UnitOfWork } from '../../engine/database.ts';
import type { Work } from '../../kernel/turns/job.ts';
import { type Connections, connectionsOf } from './connections.ts';
import type { Row } from './driver.ts';
import { KeptStatements } from './kept-statements.ts';
import { anywhere, type LogPosition } from './last-writes.ts';
import type { LoadPart } from './load.ts';
import type { Replicas } from './replicas.ts';
import { Statement } from './statement.ts';
import { inTransaction } from './transaction.ts';

const kept = new KeptStatements();

/** A statement outside of transactions. */
export interface Read extends Pick<ReadOptions, 'endsEarly'> {
  statement: Statement;
  values: readonly unknown[];
  work: Work;
}

/** The database for jobs and command-line tools, which do not take turns. */
export class ServiceDatabase implements Database {
  protected readonly connections: Connections;
  readonly #orm: MikroORM;

  constructor(orm: MikroORM, connections: Connections = connectionsOf(orm)) {
    this.#orm = orm;
    this.connections = connections;
  }

  async rows<Row>({ text, values }: Sql, options: ReadOptions = {}): Promise<Row[]> {
    const { from, prepared, work = 'quick', endsEarly } = options;
    const statement = this.#statement(text, prepared);
    const ask = async (pool: Pool) => (await this.read(pool, { statement, values, work, endsEarly })) as Row[];
    const askPrimary = async () => await ask(this.connections.primary);
    const { replicas } = this.connections;
    if (from !== 'read' || !replicas || replicas.answering === 0) return await askPrimary();
    return await replicas.read(ask, askPrimary, await this.seen(replicas));
  }

  async row<Row>(statement: Sql, options: ReadOptions = {}): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, options))[0];
  }

  async run(statement: Sql): Promise<void> {
    await this.rows(statement);
  }

  async transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    return await this.begin(work);
  }

  /** @param part counts the loaded rows */
  protected async begin<Result>(work: (unit: UnitOfWork) => Promise<Result>, part?: LoadPart): Promise<Result> {
    const { primary, replicas } = this.connections;
    const noting = replicas && { writer: this.writer(), warn: replicas.warn };
    return await inTransaction(primary, this.#orm.em.fork(), work, part, noting);
  }

  /** Runs a statement on any connection of a pool. */
  protected async read(pool: Pool, { statement, values }: Read): Promise<Row[]> {
    return await statement.run(pool, values);
  }

  /** The user of the statements, for deciding which ones connections keep prepared. */
  protected user(): string | null {
    return null;
  }

  /** How far a replica must have come to be read from. */
  protected async seen(_replicas: Replicas): Promise<LogPosition> {
    return anywhere;
  }

  /** The user whose later reads must see what a transaction writes; null if there is none. */
  protected writer(): string | null {
    return null;
  }

  #statement(text: string, prepared: ReadOptions['prepared'] = false): Statement {
    const planned = typeof prepared === 'string' ? prepared : null;
    return (prepared && kept.find(text, this.user(), planned)) || new Statement('', text);
  }
}
