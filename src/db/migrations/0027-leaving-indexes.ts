import { IndexMigration } from './index-migration.ts';

/** Finds the traces of a person, and the organizations that are being deleted. */
export class LeavingIndexes extends IndexMigration {
  override async up(): Promise<void> {
    await this.createIndex('idempotency_key_concerns_index', 'on "idempotency_key" using gin ("concerns")');
    await this.createIndex(
      'audit_entry_email_index',
      `on "audit_entry" (lower("detail"->>'email')) where "detail" ? 'email'`,
    );
    await this.createIndex(
      'organization_deleted_at_index',
      'on "organization" ("deleted_at") where "deleted_at" is not null',
    );
  }

  override async down(): Promise<void> {
    for (const name of ['organization_deleted_at', 'audit_entry_email', 'idempotency_key_concerns']) {
      await this.dropIndex(`${name}_index`);
    }
  }
}
