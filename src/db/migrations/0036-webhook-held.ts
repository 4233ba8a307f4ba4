import { IndexMigration } from './index-migration.ts';

/** Which changes wait for an earlier one of their object: few, so that most are found to be alone at the cost of one page. */
export class WebhookHeld extends IndexMigration {
  override async up(): Promise<void> {
    await this.createIndex(
      'webhook_due_held_index',
      'on "webhook_due" ("webhook_id", "kind", "object_id", "seq") where "held"',
    );
  }

  override async down(): Promise<void> {
    await this.dropIndex('webhook_due_held_index');
  }
}
