import { IndexMigration } from './index-migration.ts';

/** Finds the versions of a form that answers refer to. */
export class FormContentsIndexes extends IndexMigration {
  override async up(): Promise<void> {
    await this.createIndex(
      'subscription_form_version_index',
      'on "subscription" ("event_id", "form_version") where "form_version" is not null',
    );
  }

  override async down(): Promise<void> {
    await this.dropIndex('subscription_form_version_index');
  }
}
