import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Sql } from 'sql-template-tag';
import type { Database, ReadOptions, UnitOfWork } from '../../engine/database.ts';
import type { Work } from '../../kernel/turns/fair-queue.ts';
import { type Connections, connectionsOf } from './connections.ts';
import type { Row } from './driver.ts';
import { KeptStatements } from './kept-statements.ts';
import type { LoadPart } from './load.ts';
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
    return from === 'read' && replicas && this.mayLag() ? await replicas.read(ask, askPrimary) : await askPrimary();
  }

  async row<Row>(statement: Sql, options: ReadOptions = {}): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, options))[0];
  }

  async run(statement: Sql): Promise<void> {
    await this.rows(statement);
  }

  /** @param part counts the loaded rows */
  async transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>, part?: LoadPart): Promise<Result> {
    return await inTransaction(this.connections.primary, this.#orm.em.fork(), work, part);
  }

  /** Runs a statement on any connection of a pool. */
  protected async read(pool: Pool, { statement, values }: Read): Promise<Row[]> {
    return await statement.run(pool, values);
  }

  /** The user of the statements, for deciding which ones connections keep prepared. */
  protected user(): string | null {
    return null;
  }

  /** Whether a read may miss recent writes. */
  protected mayLag(): boolean {
    return true;
  }

  #statement(text: string, prepared = false): Statement {
    return (prepared && kept.find(text, this.user())) || new Statement('', text);
  }
}
