import { IndexMigration } from './index-migration.ts';

/** Who created an organization, which then counts for them, and what bounds the replays, the log and the places of a webhook. */
export class Makers extends IndexMigration {
  override async up(): Promise<void> {
    await this.execute('alter table "organization" add column if not exists "maker_id" uuid null');
    await this.createIndex('organization_maker_id_created_at_index', 'on "organization" ("maker_id", "created_at")');
    await this.execute(`alter table "webhook" add column if not exists "replay_to" bigint null,
      add column if not exists "logged" int not null default 0,
      add column if not exists "quick" boolean not null default true`);
  }

  override async down(): Promise<void> {
    await this.execute(
      'alter table "webhook" drop column if exists "replay_to", drop column if exists "logged", drop column if exists "quick"',
    );
    await this.dropIndex('organization_maker_id_created_at_index');
    await this.execute('alter table "organization" drop column if exists "maker_id"');
  }
}
