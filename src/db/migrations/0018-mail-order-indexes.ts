import { IndexMigration } from './index-migration.ts';

/** Finds the mails that wait for an earlier one. */
export class MailOrderIndexes extends IndexMigration {
  override async up(): Promise<void> {
    await this.createIndex('mail_job_about_index', 'on "mail_job" ("about", "position")');
  }

  override async down(): Promise<void> {
    await this.dropIndex('mail_job_about_index');
  }
}
