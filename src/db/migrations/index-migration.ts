import { setTimeout as sleep } from 'node:timers/promises';
import { Migration } from '@mikro-orm/migrations';

/**
 * A migration of indexes on tables that may be large, which builds with `concurrently` outside a transaction (note 0028). If it
 * is interrupted, the next start runs it again, since every step first checks what exists.
 */
export abstract class IndexMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /** @param definition the SQL after the name: `on "table" ("column")` */
  protected async createIndex(name: string, definition: string, { unique = false } = {}): Promise<void> {
    const state = await this.#stateOf(name);
    if (state === 'valid') return;
    if (state === 'invalid') await this.dropIndex(name);
    const create = unique ? 'create unique index' : 'create index';
    await this.execute(`${create} concurrently "${name}" ${definition}`);
  }

  protected async dropIndex(name: string): Promise<void> {
    await this.execute(`drop index concurrently if exists "${name}"`);
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
