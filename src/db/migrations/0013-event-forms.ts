import { Migration } from '@mikro-orm/migrations';

/** The forms of events, with all their versions. */
export class EventForms extends Migration {
  override up(): void {
    this.addSql(
      `create table "event_form" ("event_id" uuid not null, "version" int not null, "questions" jsonb not null, "created_at" timestamptz(3) not null default now(), primary key ("event_id", "version"))`,
    );
    this.addSql(
      `alter table "event_form" add constraint "event_form_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete cascade`,
    );
  }

  override down(): void {
    this.addSql('drop table "event_form"');
  }
}
