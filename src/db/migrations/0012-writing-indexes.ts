import { IndexMigration } from './index-migration.ts';

/** The order of the waiting lists, and the events whose reminder is due next. */
export class WritingIndexes extends IndexMigration {
  override async up(): Promise<void> {
    await this.createIndex(
      'subscription_waiting_index',
      `on "subscription" ("event_id", "waiting_since", "id") where status = 'waitlisted'`,
    );
    await this.createIndex('event_reminder_index', 'on "event" ("date_start") where status = 1');
  }

  override async down(): Promise<void> {
    await this.dropIndex('event_reminder_index');
    await this.dropIndex('subscription_waiting_index');
  }
}
