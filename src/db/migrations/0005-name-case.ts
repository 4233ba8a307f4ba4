import { IndexMigration } from './index-migration.ts';

const name = 'event_name_trigram_index';

/**
 * Builds the trigrams from names in lower case, which the filter compares. Those of the unchanged names disagreed with
 * `ilike` on letters whose lower case is ASCII, so that a filter and its complement together lost rows.
 */
export class NameCase extends IndexMigration {
  override async up(): Promise<void> {
    await this.replaceIndex(name, 'on "event" using gin ("organization_id", lower("name") gin_trgm_ops)');
    // without statistics about the index's expression, the planner assumes that every name is rare
    await this.execute('analyze "event"');
  }

  override async down(): Promise<void> {
    await this.replaceIndex(name, 'on "event" using gin ("organization_id", "name" gin_trgm_ops)');
  }
}
