import { IndexMigration } from './index-migration.ts';

/** A process takes the turn of a webhook instead of claiming its changes one by one. */
export class WebhookTurns extends IndexMigration {
  override async up(): Promise<void> {
    await this.execute(`alter table "webhook" add column if not exists "turn" uuid null,
      add column if not exists "turn_until" timestamptz(3) null, add column if not exists "sending" smallint not null default 0,
      add column if not exists "redirected_at" timestamptz(3) null`);
    await this.dropIndex('webhook_due_run_until_index');
    // what is under way during an upgrade is sent once more
    await this.execute(`alter table "webhook_due" drop column if exists "claim", drop column if exists "claimed_until",
      drop column if exists "run_until"`);
    await this.execute('alter table "webhook_due" reset (fillfactor)');
  }

  override async down(): Promise<void> {
    await this.execute(`alter table "webhook_due" add column if not exists "claim" uuid null,
      add column if not exists "claimed_until" timestamptz(3) null, add column if not exists "run_until" timestamptz(3) null`);
    await this.execute('alter table "webhook_due" set (fillfactor = 50)');
    await this.createIndex(
      'webhook_due_run_until_index',
      'on "webhook_due" ("run_until") where "run_until" is not null',
    );
    await this.execute(`alter table "webhook" drop column if exists "turn", drop column if exists "turn_until",
      drop column if exists "sending", drop column if exists "redirected_at"`);
  }
}
