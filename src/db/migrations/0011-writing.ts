import { Migration } from '@mikro-orm/migrations';

/** For writing events and subscriptions: versions, former slugs, the waiting list, history, idempotency keys. */
export class Writing extends Migration {
  override up(): void {
    this.addSql(
      `alter table "event" add column "waiting_list" boolean not null default true, add column "version" int not null default 1, add column "reminded_start" timestamptz(3) null`,
    );
    this.addSql(
      `alter table "subscription" add column "form_version" int null, add column "waiting_since" timestamptz(3) null`,
    );
    this.addSql(`update "subscription" set "waiting_since" = "created_at" where "status" = 'waitlisted'`);

    this.addSql(
      `create table "event_slug" ("organization_id" uuid not null, "slug" varchar(200) not null, "event_id" uuid not null, primary key ("organization_id", "slug"))`,
    );
    this.addSql(`create index "event_slug_event_id_index" on "event_slug" ("event_id")`);
    this.addSql(
      `alter table "event_slug" add constraint "event_slug_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "event_slug" add constraint "event_slug_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete cascade`,
    );

    this.addSql(
      `create table "event_change_notice" ("event_id" uuid not null, "former" jsonb not null, "due_at" timestamptz(3) not null, primary key ("event_id"))`,
    );
    this.addSql(`create index "event_change_notice_due_at_index" on "event_change_notice" ("due_at")`);
    this.addSql(
      `alter table "event_change_notice" add constraint "event_change_notice_event_id_foreign" foreign key ("event_id") references "event" ("id") on update cascade on delete cascade`,
    );

    this.addSql(
      `create table "subscription_change" ("id" uuid not null, "subscription_id" uuid not null, "kind" text not null, "status_from" text null, "status_to" text not null, "actor_id" uuid null, "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(
      `create index "subscription_change_created_at_index" on "subscription_change" ("subscription_id", "created_at", "id")`,
    );
    this.addSql(
      `alter table "subscription_change" add constraint "subscription_change_kind_check" check ("kind" in ('status', 'check_in', 'undo_check_in'))`,
    );
    for (const column of ['status_from', 'status_to']) {
      this.addSql(
        `alter table "subscription_change" add constraint "subscription_change_${column}_check" check ("${column}" in ('pending', 'accepted', 'declined', 'waitlisted', 'cancelled'))`,
      );
    }
    this.addSql(
      `alter table "subscription_change" add constraint "subscription_change_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on delete cascade`,
    );

    this.addSql(
      `create table "idempotency_key" ("id" bytea not null, "request" bytea not null, "status" smallint not null, "headers" jsonb not null, "body" text not null, "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(`create index "idempotency_key_created_at_index" on "idempotency_key" ("created_at")`);
  }

  override down(): void {
    for (const table of ['idempotency_key', 'subscription_change', 'event_change_notice', 'event_slug']) {
      this.addSql(`drop table "${table}"`);
    }
    this.addSql(`alter table "subscription" drop column "form_version", drop column "waiting_since"`);
    this.addSql(`alter table "event" drop column "waiting_list", drop column "version", drop column "reminded_start"`);
  }
}
