import { Migration } from '@mikro-orm/migrations';

/** What a restore did to the log of changes, for cursors from before it. */
export class LogRestores extends Migration {
  override up(): void {
    this.addSql(
      `create table "log_restore" ("at" timestamptz(3) not null, "marked" boolean not null, "newest_at" timestamptz(3) null, "gap" bigint null, primary key ("at"))`,
    );
  }

  override down(): void {
    this.addSql(`drop table "log_restore"`);
  }
}
