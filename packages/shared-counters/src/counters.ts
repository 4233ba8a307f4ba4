import { createHash } from 'node:crypto';

/** The part of a `pg` pool that counters need. */
export interface CounterStore {
  query(statement: {
    name: string;
    text: string;
    values: unknown[];
  }): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

export interface Counted {
  points: number;
  /** When the counter resets, in Unix milliseconds. */
  expire: number;
}

interface Change {
  key: string;
  points: number;
  /** When the counter resets, if this change starts it. */
  expire: number;
  counted: PromiseWithResolvers<Counted>;
}

/** Updates counters in a table. Changes that arrive while a statement is running are batched into the next one. */
export class Counters {
  readonly store: CounterStore;
  readonly table: string;
  #waiting: Change[] = [];
  #runs = false;

  /** @param table with columns `key`, `points` and `expire`, of which `key` is unique */
  constructor(store: CounterStore, table: string) {
    this.store = store;
    this.table = table;
  }

  /** @returns the counter directly after this change. @param duration milliseconds, if this change starts the counter */
  add(key: string, points: number, duration: number): Promise<Counted> {
    const counted = Promise.withResolvers<Counted>();
    this.#waiting.push({ key, points, expire: Date.now() + duration, counted });
    if (!this.#runs) {
      this.#runs = true;
      // batched with everything else that the same request counts
      queueMicrotask(() => void this.#run());
    }
    return counted.promise;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const changes = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(changes);
      } catch (error) {
        for (const { counted } of changes) counted.reject(error);
      }
    }
    this.#runs = false;
  }

  async #write(changes: readonly Change[]): Promise<void> {
    const byKey = Map.groupBy(changes, ({ key }) => key);
    const firsts = [...byKey.values()].map(([first]) => first as Change);
    const sums = [...byKey.values()].map((same) => same.reduce((sum, { points }) => sum + points, 0));
    const values = [firsts.map(({ key }) => key), sums, firsts.map(({ expire }) => expire), Date.now()];
    const { rows } = await this.store.query({ name: `counters of ${this.table}`, text: addSql(this.table), values });
    for (const { key, points, expire } of rows as { key: string; points: number; expire: string }[]) {
      let after = points;
      // the returned value is that after the last change
      for (const change of (byKey.get(key) ?? []).toReversed()) {
        change.counted.resolve({ points: after, expire: Number(expire) });
        after -= change.points;
      }
    }
  }
}

// ordered by key, so that two processes don't deadlock
const addSql = (table: string) => `insert into ${table} as counter (key, points, expire)
  select * from unnest($1::text[], $2::int[], $3::bigint[]) as given (key, points, expire) order by key
  on conflict (key) do update set
    points = case when counter.expire <= $4::bigint then 0 else counter.points end + excluded.points,
    expire = case when counter.expire <= $4::bigint then excluded.expire else counter.expire end
  returning key, points, expire`;

/** Keys are stored as hashes: an address is personal data, and may be too long for the column. */
export function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
