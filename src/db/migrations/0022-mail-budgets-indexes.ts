import { IndexMigration } from './index-migration.ts';

/** Finds the mails whose turn it is, and the rows that count for the budgets. */
export class MailBudgetIndexes extends IndexMigration {
  override async up(): Promise<void> {
    await this.createIndex('mail_job_link_index', 'on "mail_job" ("due_at") where "organization_id" is null');
    await this.createIndex(
      'mail_job_guest_index',
      'on "mail_job" ("organization_id", "due_at") where "recipient" is null and "due_at" is not null',
    );
    await this.createIndex(
      'mail_job_event_index',
      'on "mail_job" ("organization_id", "due_at") where "recipient" is not null and "due_at" is not null',
    );
    await this.createIndex(
      'mail_job_recipient_index',
      'on "mail_job" ("organization_id", "recipient", "position") where "recipient" is not null',
    );
    await this.createIndex(
      'mail_job_digest_unique',
      `on "mail_job" ("organization_id", "recipient") where "kind" = 'subscription_digest' and "attempts" = 0`,
      { unique: true },
    );
    await this.createIndex('subscription_proven_index', 'on "subscription" ("event_id") where "mailbox_proven"');
    for (const name of ['due_at', 'about', 'first']) await this.dropIndex(`mail_job_${name}_index`);
  }

  override async down(): Promise<void> {
    await this.createIndex('mail_job_first_index', 'on "mail_job" ("due_at") where "about" is null');
    await this.createIndex('mail_job_about_index', 'on "mail_job" ("about", "position")');
    await this.createIndex('mail_job_due_at_index', 'on "mail_job" ("due_at")');
    await this.dropIndex('subscription_proven_index');
    await this.dropIndex('mail_job_digest_unique');
    for (const name of ['recipient', 'event', 'guest', 'link']) await this.dropIndex(`mail_job_${name}_index`);
  }
}
