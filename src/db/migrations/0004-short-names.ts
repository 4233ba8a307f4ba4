import { IndexMigration } from './index-migration.ts';

/**
 * An index of every substring of one or two characters of names in lower case, for filters that are too short for a
 * trigram. Without it such a filter reads every name of the organization.
 */
export class ShortNames extends IndexMigration {
  override async up(): Promise<void> {
    await this.execute(`create or replace function "name_grams"("name" text) returns text[]
      language sql immutable parallel safe strict as $body$
      select array(
        select distinct substr("lowered", "start", "length")
        from (select lower("name") as "lowered") as "text",
          generate_series(1, 2) as "length",
          generate_series(1, char_length("lowered") - "length" + 1) as "start")
      $body$`);
    await this.createIndex('event_name_gram_index', 'on "event" using gin ("organization_id", name_grams("name"))');
  }

  override async down(): Promise<void> {
    await this.dropIndex('event_name_gram_index');
    await this.execute('drop function "name_grams"');
  }
}
