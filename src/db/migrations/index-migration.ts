import { setTimeout as sleep } from 'node:timers/promises';
import { Migration } from '@mikro-orm/migrations';

const tableOf = /^on "(\w+)"/;

/**
 * A migration of indexes on tables that may be large. It runs outside a transaction and builds with `concurrently`, so
 * that reads and writes of the table continue (note 0028). If it is interrupted, the next start runs it again
 * from the beginning, since every step first checks what exists.
 */
export abstract class IndexMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /**
   * Builds an index unless a valid one exists. First drops the remains of an interrupted build.
   *
   * @param definition the SQL after the name: `on "table" ("column")`
   */
  protected async createIndex(name: string, definition: string, { unique = false } = {}): Promise<void> {
    const state = await this.#stateOf(name);
    if (state === 'valid') return;
    if (state === 'invalid') await this.dropIndex(name);
    const create = unique ? 'create unique index' : 'create index';
    const partitions = await this.#partitionsOf(definition);
    if (partitions.length === 0) {
      await this.execute(`${create} concurrently "${name}" ${definition}`);
      return;
    }
    // PostgreSQL builds concurrently on partitions alone; the index of the table is valid once it has all of theirs
    await this.execute(`${create} "${name}" ${definition.replace(tableOf, 'on only "$1"')}`);
    for (const partition of partitions) {
      const own = `${name}_${partition}`;
      await this.createIndex(own, definition.replace(tableOf, `on "${partition}"`), { unique });
      await this.execute(`alter index "${name}" attach partition "${own}"`);
    }
  }

  protected async dropIndex(name: string): Promise<void> {
    const isWhole = (await this.execute(`select from pg_class where oid = to_regclass('"${name}"') and relkind = 'I'`))
      .length;
    await this.execute(`drop index ${isWhole ? '' : 'concurrently '}if exists "${name}"`);
  }

  /** Changes the definition of an index; the old one is used until the new one is built. */
  protected async replaceIndex(name: string, definition: string): Promise<void> {
    const successor = `${name}_new`;
    await this.createIndex(successor, definition);
    await this.dropIndex(name);
    for (const partition of await this.#partitionsOf(definition)) {
      await this.execute(`alter index if exists "${successor}_${partition}" rename to "${name}_${partition}"`);
    }
    await this.execute(`alter index "${successor}" rename to "${name}"`);
  }

  /** The partitions of the table that an index is on, if an operator has split it (docs/operations/scale.md#partitions). */
  async #partitionsOf(definition: string): Promise<string[]> {
    const found = await this.execute(
      `select inhrelid::regclass::text as name from pg_inherits join pg_class on pg_class.oid = inhparent
        where relkind = 'p' and inhparent = to_regclass(?) order by inhrelid`,
      [`"${tableOf.exec(definition)?.[1]}"`],
    );
    return (found as { name: string }[]).map(({ name }) => name);
  }

  async #stateOf(name: string): Promise<'absent' | 'invalid' | 'valid'> {
    while (true) {
      const [index] = (await this.execute(
        `select indisvalid as valid, exists (
           select from pg_stat_progress_create_index as build where build.index_relid = indexrelid
         ) as building
         from pg_index where indexrelid = to_regclass('"${name}"')`,
      )) as { valid: boolean; building: boolean }[];
      if (!index) return 'absent';
      if (index.valid) return 'valid';
      // PostgreSQL finishes a build whose client was killed
      if (!index.building) return 'invalid';
      await sleep(500);
    }
  }
}
