import { Migration } from '@mikro-orm/migrations';

/**
 * Builds the trigrams of names from their lower case, as the filter compares it. Those of the names themselves disagreed
 * with `ilike` on letters whose lower case is ASCII, so that a filter and its complement together lost rows.
 */
export class NameCase extends Migration {
  override up(): void {
    this.addSql('drop index "event_name_trigram_index"');
    this.addSql(
      'create index "event_name_trigram_index" on "event" using gin ("organization_id", lower("name") gin_trgm_ops)',
    );
    // the index's expression has no statistics yet, without which the planner takes every name for a rare one
    this.addSql('analyze "event"');
  }

  override down(): void {
    this.addSql('drop index "event_name_trigram_index"');
    this.addSql(
      'create index "event_name_trigram_index" on "event" using gin ("organization_id", "name" gin_trgm_ops)',
    );
  }
}
