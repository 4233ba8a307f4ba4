import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';

/** Sorts before every organization. */
const start = '00000000-0000-0000-0000-000000000000';
/** The maximum number of organizations that a scan finds. */
const scanSize = 100;
/** Milliseconds between scans for new organizations while others still have due rows. */
const scanInterval = 1_000;

/**
 * Lets organizations take turns, however many rows each has waiting. A process has one instance for each kind of work.
 */
export class OrganizationTurns {
  readonly #rows: Sql;
  /** The organizations with due rows, in the order of their turns. */
  #ring: string[] = [];
  #last = start;
  #scannedAt = Number.NEGATIVE_INFINITY;

  /** @param rows a table and condition with an index over `organization_id, due_at`, as `from job where …` */
  constructor(rows: Sql) {
    this.#rows = rows;
  }

  /**
   * Takes due rows of the organizations whose turn it is.
   *
   * @param statement gets a query for `organization_id` and returns the rows that it took
   * @param options `count`: how many organizations have their turn at once; `except`: organizations to skip
   */
  async take<Row extends { organization_id: string | null }>(
    db: Pick<Database, 'rows'>,
    statement: (turns: Sql) => Promise<Row[]>,
    { count, except = [] }: { count: number; except?: readonly string[] },
  ): Promise<Row[]> {
    let mayScan = true;
    for (;;) {
      const isOld = performance.now() - this.#scannedAt > scanInterval;
      if (mayScan && (isOld || this.#ring.length === 0)) {
        await this.#scan(db);
        mayScan = false;
      }
      this.#ring = this.#ring.filter((id) => !except.includes(id));
      const turn = this.#ring.slice(0, count);
      const last = turn.at(-1);
      if (last === undefined && !mayScan) return [];
      if (last === undefined) continue;
      const taken = await statement(sql`select unnest(${turn}::uuid[]) as organization_id`);
      const served = new Set(taken.map(({ organization_id: id }) => id));
      this.#ring = [...this.#ring.slice(count), ...turn.filter((id) => served.has(id))];
      this.#last = last;
      if (taken.length > 0) return taken;
    }
  }

  async #scan(db: Pick<Database, 'rows'>): Promise<void> {
    const next = await this.#due(db, this.#last);
    const first = next.length === scanSize || this.#last === start ? [] : await this.#due(db, start);
    this.#ring = [...new Set([...next, ...first])];
    this.#scannedAt = performance.now();
  }

  /** A loose index scan: it reads one row of each organization. */
  async #due(db: Pick<Database, 'rows'>, last: string): Promise<string[]> {
    const first = (after: Sql) => sql`select organization_id, due_at ${this.#rows} and organization_id > ${after}
      order by organization_id, due_at limit 1`;
    const due = await db.rows<{ organization_id: string }>(sql`with recursive turn as (
        (${first(sql`${last}::uuid`)})
        union all select next.organization_id, next.due_at from turn cross join lateral (${first(sql`turn.organization_id`)}) next
      )
      select organization_id from turn where due_at <= now() limit ${scanSize}`);
    return due.map(({ organization_id: id }) => id);
  }
}
