import { IndexMigration } from './index-migration.ts';

/** Finds the mails that are sent before those about subscriptions. */
export class FirstMails extends IndexMigration {
  override async up(): Promise<void> {
    await this.createIndex('mail_job_first_index', 'on "mail_job" ("due_at") where "about" is null');
  }

  override async down(): Promise<void> {
    await this.dropIndex('mail_job_first_index');
  }
}
