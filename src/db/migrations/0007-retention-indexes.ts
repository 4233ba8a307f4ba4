import { IndexMigration } from './index-migration.ts';

/** The indexes that the sweep uses to find expired rows. */
const indexes: [string, string][] = [
  ['audit_entry_created_at_index', 'on "audit_entry" ("created_at")'],
  ['session_ended_at_index', 'on "session" ("ended_at") where "ended_at" is not null'],
  ['session_last_used_at_index', 'on "session" ("last_used_at") where "ended_at" is null'],
  ['invitation_expires_at_index', 'on "invitation" ("expires_at")'],
  ['mail_job_given_up_index', 'on "mail_job" ("created_at") where "due_at" is null'],
  ['pending_sign_up_created_at_index', 'on "pending_sign_up" ("created_at")'],
  ['rate_limit_expire_index', 'on "rate_limit" ("expire")'],
];

export class RetentionIndexes extends IndexMigration {
  override async up(): Promise<void> {
    for (const [name, definition] of indexes) await this.createIndex(name, definition);
  }

  override async down(): Promise<void> {
    for (const [name] of indexes) await this.dropIndex(name);
  }
}
