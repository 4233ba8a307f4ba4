import { Migration } from '@mikro-orm/migrations';

/** The secret addresses of calendars. */
export class Calendar extends Migration {
  override up(): void {
    this.addSql(
      `create table "calendar_feed" ("user_id" uuid not null, "hash" varchar(43) not null, "created_at" timestamptz(3) not null default now(), primary key ("user_id"))`,
    );
    this.addSql(`alter table "calendar_feed" add constraint "calendar_feed_hash_unique" unique ("hash")`);
    this.addSql(
      `alter table "calendar_feed" add constraint "calendar_feed_user_id_foreign" foreign key ("user_id") references "user" ("id") on delete cascade`,
    );
  }

  override down(): void {
    this.addSql('drop table "calendar_feed"');
  }
}
