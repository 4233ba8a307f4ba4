import type { EntityManager } from '@mikro-orm/postgresql';
import type { Sql } from 'sql-template-tag';
import type { Database, ReadOptions, UnitOfWork } from '../../engine/database.ts';

/** A database whose statements may touch the rows of all organizations (note 0075). */
export class CrossingDatabase<Within extends Database = Database> implements Database {
  protected readonly within: Within;

  constructor(within: Within) {
    this.within = within;
  }

  rows<Row>(statement: Sql, options?: ReadOptions): Promise<Row[]> {
    return this.within.rows<Row>(statement, { ...options, crosses: true });
  }

  row<Row>(statement: Sql, options?: ReadOptions): Promise<Row | undefined> {
    return this.within.row<Row>(statement, { ...options, crosses: true });
  }

  run(statement: Sql): Promise<void> {
    return this.within.run(statement, { crosses: true });
  }

  transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    return this.within.transaction(work, { crosses: true });
  }

  crossing(): this {
    return this;
  }
}

/** The part of a transaction that can be changed to cross organizations. */
interface ChangingUnit extends UnitOfWork {
  across<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A transaction whose statements, and those of its unit of work within `transaction`, cross organizations. */
export class CrossingUnit extends CrossingDatabase<ChangingUnit> implements UnitOfWork {
  get em(): EntityManager {
    return this.within.em;
  }

  get writer(): string | null {
    return this.within.writer;
  }

  set writer(userId: string | null) {
    this.within.writer = userId;
  }

  get writtenBytes(): number {
    return this.within.writtenBytes;
  }

  flush(): Promise<void> {
    return this.within.flush();
  }

  override transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    return this.within.across(() => work(this));
  }
}
