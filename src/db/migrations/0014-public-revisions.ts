import { Migration } from '@mikro-orm/migrations';

/**
 * A number for each organization that increases with every change visible in its public events, so that a cached
 * response can be validated without reading a list (note 0042). Subscriptions change it only when they fill
 * an event or free a place. A transaction changes it once.
 */
export class PublicRevisions extends Migration {
  override up(): void {
    this.addSql(
      `create table "public_revision" ("organization_id" uuid not null, "revision" bigint not null, primary key ("organization_id"))`,
    );
    this.addSql(
      `alter table "public_revision" add constraint "public_revision_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
    );
    this.addSql(`create function "public_revision_raise"("organization" uuid) returns void language sql as $body$
      insert into "public_revision" ("organization_id", "revision") values ("organization", 1)
        on conflict ("organization_id") do update set "revision" = "public_revision"."revision" + 1
          where "public_revision"."xmin" <> pg_current_xact_id()::xid
      $body$`);
    this.#addEventTriggers();
    this.#addFormTrigger();
  }

  /** Whether the event is public, before and after the change. */
  #addEventTriggers(): void {
    const shows = (row: string) => `(${row}."visibility" = 'public' and ${row}."status" in (1, 2))`;
    const facts = (row: string) =>
      [
        'organization_id',
        'name',
        'slug',
        'description',
        'status',
        'date_start',
        'date_end',
        'timezone',
        'location',
        'visibility',
        'registration',
        'waiting_list',
        'updated_at',
      ]
        .map((column) => `${row}."${column}"`)
        .concat(`coalesce(${row}."accepted_count" < ${row}."capacity", true)`)
        .join(', ');
    this.addSql(`create function "event_raise_revision"() returns trigger language plpgsql as $body$
      begin
        if tg_op = 'INSERT' then
          perform "public_revision_raise"("organization_id") from (
            select distinct "organization_id" from "new_rows" where ${shows('"new_rows"')} order by "organization_id"
          ) as "organizations";
        elsif tg_op = 'DELETE' then
          -- the organization may be going, too
          update "public_revision" set "revision" = "revision" + 1 where "organization_id" = old."organization_id";
        else
          perform "public_revision_raise"(old."organization_id");
          if new."organization_id" <> old."organization_id" then
            perform "public_revision_raise"(new."organization_id");
          end if;
        end if;
        return null;
      end
      $body$`);
    const run = 'execute function "event_raise_revision"()';
    this.addSql(
      `create trigger "event_raise_revision_on_insert" after insert on "event" referencing new table as "new_rows" for each statement ${run}`,
    );
    this.addSql(
      `create trigger "event_raise_revision_on_update" after update on "event" for each row when ((${shows('old')} or ${shows('new')}) and (${facts('old')}) is distinct from (${facts('new')})) ${run}`,
    );
    this.addSql(
      `create trigger "event_raise_revision_on_delete" after delete on "event" for each row when (${shows('old')}) ${run}`,
    );
  }

  #addFormTrigger(): void {
    this.addSql(`create function "event_form_raise_revision"() returns trigger language plpgsql as $body$
      begin
        perform "public_revision_raise"("organization_id") from (
          select distinct "event"."organization_id" from "new_rows" join "event" on "event"."id" = "new_rows"."event_id"
          order by "event"."organization_id"
        ) as "organizations";
        return null;
      end
      $body$`);
    this.addSql(
      `create trigger "event_form_raise_revision_on_insert" after insert on "event_form" referencing new table as "new_rows" for each statement execute function "event_form_raise_revision"()`,
    );
  }

  override down(): void {
    this.addSql('drop trigger "event_form_raise_revision_on_insert" on "event_form"');
    for (const operation of ['insert', 'update', 'delete']) {
      this.addSql(`drop trigger "event_raise_revision_on_${operation}" on "event"`);
    }
    this.addSql('drop function "event_form_raise_revision"()');
    this.addSql('drop function "event_raise_revision"()');
    this.addSql('drop function "public_revision_raise"(uuid)');
    this.addSql('drop table "public_revision"');
  }
}
