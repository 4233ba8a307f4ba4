import { IndexMigration } from './index-migration.ts';

/** Finds what a request did by the id that is in the log. */
export class AuditRequestsIndexes extends IndexMigration {
  override async up(): Promise<void> {
    await this.createIndex('audit_entry_request_id_index', 'on "audit_entry" ("request_id")');
  }

  override async down(): Promise<void> {
    await this.dropIndex('audit_entry_request_id_index');
  }
}
