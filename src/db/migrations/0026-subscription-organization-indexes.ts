import { IndexMigration } from './index-migration.ts';

const batch = 5_000;

/**
 * Fills `organization_id` of the existing subscriptions, in short statements that can be repeated, and builds the indexes
 * of the organization's and of a person's subscriptions; and those that search the names of members.
 */
export class SubscriptionOrganizationIndexes extends IndexMigration {
  override async up(): Promise<void> {
    await this.#fill();
    await this.createIndex(
      'subscription_organization_index',
      `on "subscription" ("organization_id", "created_at", "id")
        include ("status", "user_id", "event_id", "checked_in_at", "updated_at")`,
    );
    await this.createIndex(
      'subscription_organization_status_index',
      'on "subscription" ("organization_id", "status", "created_at", "id")',
    );
    await this.createIndex(
      'subscription_organization_updated_at_index',
      'on "subscription" ("organization_id", "updated_at")',
    );
    await this.replaceIndex(
      'subscription_user_id_index',
      'on "subscription" ("user_id", "organization_id", "created_at", "id")',
    );
    await this.createIndex('user_name_trigram_index', 'on "user" using gin (lower("name") gin_trgm_ops)');
    await this.createIndex('user_name_gram_index', 'on "user" using gin (name_grams("name"))');
  }

  override async down(): Promise<void> {
    await this.dropIndex('user_name_gram_index');
    await this.dropIndex('user_name_trigram_index');
    await this.replaceIndex('subscription_user_id_index', 'on "subscription" ("user_id")');
    await this.dropIndex('subscription_organization_updated_at_index');
    await this.dropIndex('subscription_organization_status_index');
    await this.dropIndex('subscription_organization_index');
  }

  async #fill(): Promise<void> {
    let last = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const [end] = (await this.execute(
        `with page as (select "id" from "subscription" where "id" > ? order by "id" limit ${batch}),
          filled as (update "subscription" s set "organization_id" = e."organization_id" from page, "event" e
            where s."id" = page."id" and e."id" = s."event_id" and s."organization_id" is null)
          select "id" from page order by "id" desc limit 1`,
        [last],
      )) as { id: string }[];
      if (!end) return;
      last = end.id;
    }
  }
}
