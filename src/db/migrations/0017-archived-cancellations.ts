import { Migration } from '@mikro-orm/migrations';

/** Who was told of a cancellation is told if the event takes place after all, also if it was archived in between. */
export class ArchivedCancellations extends Migration {
  override up(): void {
    this.addSql(`alter table "event" add column "archived_cancelled" boolean not null default false`);
  }

  override down(): void {
    this.addSql(`alter table "event" drop column "archived_cancelled"`);
  }
}
