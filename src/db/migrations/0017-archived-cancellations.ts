import { Migration } from '@mikro-orm/migrations';

/**
 * Subscribers who got a mail about a cancellation get one if the event is reinstated, even if it was archived in
 * between.
 */
export class ArchivedCancellations extends Migration {
  override up(): void {
    this.addSql(`alter table "event" add column "archived_cancelled" boolean not null default false`);
  }

  override down(): void {
    this.addSql(`alter table "event" drop column "archived_cancelled"`);
  }
}
