import { IndexMigration } from './index-migration.ts';

const name = 'event_name_trigram_index';

/**
 * Builds the trigrams of names from their lower case, as the filter compares it. Those of the names themselves disagreed
 * with `ilike` on letters whose lower case is ASCII, so that a filter and its complement together lost rows.
 */
export class NameCase extends IndexMigration {
  override async up(): Promise<void> {
    await this.replaceIndex(name, 'on "event" using gin ("organization_id", lower("name") gin_trgm_ops)');
    // the index's expression has no statistics yet, without which the planner takes every name for a rare one
    await this.execute('analyze "event"');
  }

  override async down(): Promise<void> {
    await this.replaceIndex(name, 'on "event" using gin ("organization_id", "name" gin_trgm_ops)');
  }
}
