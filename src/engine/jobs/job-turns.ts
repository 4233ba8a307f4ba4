import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../database.ts';
import type { LaneName } from './job.table.ts';

/** Sorts before every party. */
const start = '00000000-0000-0000-0000-000000000000';
/** The maximum number of parties that a scan finds. */
const scanSize = 100;

/** Lets the parties of a lane take turns, however many jobs each has waiting. A process has one instance for each lane. */
export class JobTurns {
  readonly #lane: LaneName;
  readonly #scanInterval: number;
  /** The parties with due jobs, in the order of their turns. */
  #ring: string[] = [];
  #last = start;
  #scannedAt = Number.NEGATIVE_INFINITY;

  /** @param scanInterval milliseconds between scans for new parties while others still have due jobs */
  constructor(lane: LaneName, scanInterval: number) {
    this.#lane = lane;
    this.#scanInterval = scanInterval;
  }

  /**
   * Takes jobs of the parties whose turn it is.
   *
   * @param claim returns the jobs that it took of some parties, and the parties that could have none; others without jobs leave the ring
   * @param options `count`: how many parties have their turn at once; `except`: parties to skip
   */
  async take<Row extends { party: string }>(
    db: Pick<Database, 'rows'>,
    claim: (parties: readonly string[]) => Promise<{ taken: Row[]; waiting?: readonly string[] }>,
    { count, except = [] }: { count: number; except?: readonly string[] },
  ): Promise<Row[]> {
    let mayScan = true;
    for (;;) {
      const isOld = performance.now() - this.#scannedAt > this.#scanInterval;
      if (mayScan && (isOld || this.#ring.length === 0)) {
        await this.#scan(db);
        mayScan = false;
      }
      this.#ring = this.#ring.filter((id) => !except.includes(id));
      const turn = this.#ring.slice(0, count);
      const last = turn.at(-1);
      if (last === undefined && !mayScan) return [];
      if (last === undefined) continue;
      const { taken, waiting = [] } = await claim(turn);
      const served = new Set([...taken.map(({ party }) => party), ...waiting]);
      this.#ring = [...this.#ring.slice(count), ...turn.filter((id) => served.has(id))];
      this.#last = last;
      // parties that can have none now would be asked again at once
      if (taken.length > 0 || waiting.length > 0) return taken;
    }
  }

  async #scan(db: Pick<Database, 'rows'>): Promise<void> {
    const next = await this.#due(db, this.#last);
    const first = next.length === scanSize || this.#last === start ? [] : await this.#due(db, start);
    this.#ring = [...new Set([...next, ...first])];
    this.#scannedAt = performance.now();
  }

  /** A loose index scan: it reads one row of each party. */
  async #due(db: Pick<Database, 'rows'>, last: string): Promise<string[]> {
    const first = (after: Sql) => sql`select party, due_at from job
      where lane = ${this.#lane} and due_at is not null and party > ${after} order by party, due_at limit 1`;
    const due = await db.rows<{ party: string }>(sql`with recursive turn as (
        (${first(sql`${last}::uuid`)})
        union all select next.party, next.due_at from turn cross join lateral (${first(sql`turn.party`)}) next
      )
      select party from turn where due_at <= now() limit ${scanSize}`);
    return due.map(({ party }) => party);
  }
}
