import { IndexMigration } from './index-migration.ts';

/**
 * The entries of each person in the order of the trail, and the members whose entries an organization shares. All
 * filters of the trail are columns of one index: with several, the planner could choose one without the order and read
 * a long strand to its end.
 */
const indexes: [string, string][] = [
  ['membership_shares_trail_index', 'on "membership" ("organization_id", "user_id") where "shares_trail"'],
  [
    'audit_entry_person_id_created_at_index',
    'on "audit_entry" ("person_id", "created_at", "id") include ("action", "actor_id", "subject_id") where "person_id" is not null',
  ],
];

export class TrailIndexes extends IndexMigration {
  override async up(): Promise<void> {
    for (const [name, definition] of indexes) await this.createIndex(name, definition);
  }

  override async down(): Promise<void> {
    for (const [name] of indexes) await this.dropIndex(name);
  }
}
