import { Migration } from '@mikro-orm/migrations';

/** How far the log of the primary had come when each user last wrote: what they read from a replica must contain it. */
export class LastWrites extends Migration {
  override up(): void {
    this.addSql(
      `create unlogged table "last_write" ("user_id" uuid not null, "position" pg_lsn not null, "written_at" timestamptz(3) not null, primary key ("user_id"))`,
    );
    this.addSql(`create index "last_write_written_at_index" on "last_write" ("written_at")`);
  }

  override down(): void {
    this.addSql(`drop table "last_write"`);
  }
}
