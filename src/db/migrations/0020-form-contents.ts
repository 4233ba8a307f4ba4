import { Migration } from '@mikro-orm/migrations';

/**
 * The questions of forms are stored once for each organization, however many versions and copies have them.
 * `event_form` becomes a view for processes of the previous version.
 */
export class FormContents extends Migration {
  override up(): void {
    this.addSql(
      `create table "form_content" ("organization_id" uuid not null, "hash" bytea not null, "questions" jsonb not null, "unused_since" timestamptz(3) null, primary key ("organization_id", "hash"))`,
    );
    this.addSql(
      `create index "form_content_unused_since_index" on "form_content" ("unused_since") where "unused_since" is not null`,
    );
    this.addSql(
      `alter table "form_content" add constraint "form_content_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
    );
    this.addSql(
      `create table "form_version" ("event_id" uuid not null, "version" int not null, "organization_id" uuid not null, "hash" bytea not null, "created_at" timestamptz(3) not null default now(), primary key ("event_id", "version"))`,
    );
    this.addSql(`create index "form_version_organization_id_hash_index" on "form_version" ("organization_id", "hash")`);
    this.addSql(
      `alter table "form_version" add constraint "form_version_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "form_version" add constraint "form_version_organization_id_hash_foreign" foreign key ("organization_id", "hash") references "form_content" ("organization_id", "hash")`,
    );
    this.#addFunctions();
    this.addSql('lock table "event_form"');
    this.addSql(
      `select "form_version_add"("event_id", "version", "questions", "created_at") from "event_form" order by "event_id", "version"`,
    );
    this.addSql('drop trigger "event_form_raise_revision_on_insert" on "event_form"');
    this.addSql('drop table "event_form"');
    this.addSql(
      `create trigger "event_form_raise_revision_on_insert" after insert on "form_version" referencing new table as "new_rows" for each statement execute function "event_form_raise_revision"()`,
    );
    this.addSql(
      `create trigger "form_version_note_unused_on_delete" after delete on "form_version" referencing old table as "old_rows" for each statement execute function "form_version_note_unused"()`,
    );
    this.addSql(
      `create view "event_form" as select "event_id", "version", "questions", "created_at" from "form_version" join "form_content" using ("organization_id", "hash")`,
    );
    this.addSql(
      `create trigger "event_form_insert" instead of insert on "event_form" for each row execute function "event_form_insert"()`,
    );
  }

  #addFunctions(): void {
    // locks the content that is there: no sweep deletes it before this version refers to it
    this.addSql(`create function "form_version_add"("for_event" uuid, "number" int, "asked" jsonb, "made" timestamptz) returns void language sql as $body$
      with "content" as (
        insert into "form_content" ("organization_id", "hash", "questions")
        select "organization_id", sha256(convert_to("asked"::text, 'UTF8')), "asked" from "event" where "id" = "for_event"
        on conflict ("organization_id", "hash") do update set "unused_since" = null returning "organization_id", "hash"
      )
      insert into "form_version" ("event_id", "version", "organization_id", "hash", "created_at")
      select "for_event", "number", "organization_id", "hash", "made" from "content"
      $body$`);
    this.addSql(`create function "event_form_insert"() returns trigger language plpgsql as $body$
      begin
        perform "form_version_add"(new."event_id", new."version", new."questions", coalesce(new."created_at", now()));
        return new;
      end
      $body$`);
    this.addSql(`create function "form_version_note_unused"() returns trigger language plpgsql as $body$
      begin
        update "form_content" as "content" set "unused_since" = now() from "old_rows"
        where "content"."organization_id" = "old_rows"."organization_id" and "content"."hash" = "old_rows"."hash"
          and not exists (
            select from "form_version" as "other"
            where "other"."organization_id" = "content"."organization_id" and "other"."hash" = "content"."hash"
          );
        return null;
      end
      $body$`);
  }

  override down(): void {
    this.addSql('drop view "event_form"');
    this.addSql(
      `create table "event_form" ("event_id" uuid not null, "version" int not null, "questions" jsonb not null, "created_at" timestamptz(3) not null default now(), primary key ("event_id", "version"))`,
    );
    this.addSql(
      `alter table "event_form" add constraint "event_form_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete cascade`,
    );
    this.addSql(
      `insert into "event_form" ("event_id", "version", "questions", "created_at") select "event_id", "version", "questions", "form_version"."created_at" from "form_version" join "form_content" using ("organization_id", "hash")`,
    );
    this.addSql('drop trigger "event_form_raise_revision_on_insert" on "form_version"');
    this.addSql(
      `create trigger "event_form_raise_revision_on_insert" after insert on "event_form" referencing new table as "new_rows" for each statement execute function "event_form_raise_revision"()`,
    );
    this.addSql('drop table "form_version"');
    this.addSql('drop table "form_content"');
    this.addSql('drop function "form_version_note_unused"()');
    this.addSql('drop function "event_form_insert"()');
    this.addSql('drop function "form_version_add"(uuid, int, jsonb, timestamptz)');
  }
}
