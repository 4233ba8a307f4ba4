import { IndexMigration } from './index-migration.ts';

/**
 * Of the changes that were claimed together only the last one is in an index of claims: of the others no index changes, so that their
 * new version takes the room that is kept in their page.
 */
export class WebhookRuns extends IndexMigration {
  override async up(): Promise<void> {
    await this.execute('alter table "webhook_due" add column if not exists "run_until" timestamptz(3) null');
    await this.execute('alter table "webhook_due" set (fillfactor = 50)');
    await this.createIndex(
      'webhook_due_run_until_index',
      'on "webhook_due" ("run_until") where "run_until" is not null',
    );
    await this.dropIndex('webhook_due_claimed_until_index');
  }

  override async down(): Promise<void> {
    await this.createIndex(
      'webhook_due_claimed_until_index',
      'on "webhook_due" ("claimed_until") where "claimed_until" is not null',
    );
    await this.dropIndex('webhook_due_run_until_index');
    await this.execute('alter table "webhook_due" reset (fillfactor)');
    await this.execute('alter table "webhook_due" drop column if exists "run_until"');
  }
}
