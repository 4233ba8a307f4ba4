import { Migration } from '@mikro-orm/migrations';
import { triggers } from './0001-triggers.ts';

/** Every table, index and constraint of the entities, and the triggers. */
export class Initial extends Migration {
  override up(): void {
    // trigram search on names, and the organization's id in the same GIN index; both are trusted extensions
    this.addSql('create extension if not exists pg_trgm');
    this.addSql('create extension if not exists btree_gin');

    this.addSql(
      `create table "organization" ("id" uuid not null, "name" varchar(200) not null, "slug" varchar(200) not null, "signup" text not null default 'open', "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(`alter table "organization" add constraint "organization_slug_unique" unique ("slug")`);
    this.addSql(`create index "organization_created_at_id_index" on "organization" ("created_at", "id")`);
    this.addSql(
      `alter table "organization" add constraint "organization_signup_check" check ("signup" in ('open', 'invite'))`,
    );

    this.addSql(
      `create table "user" ("id" uuid not null, "email" varchar(320) not null, "name" varchar(200) not null, "avatar_url" varchar(2048) null, "password_hash" text null, "verified_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(`create unique index "user_email_lower_unique" on "user" (lower("email"))`);

    this.addSql(
      `create table "membership" ("id" uuid not null, "organization_id" uuid not null, "user_id" uuid not null, "role" text not null, "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(`create index "membership_user_id_index" on "membership" ("user_id")`);
    this.addSql(
      `create index "membership_organization_id_created_at_id_index" on "membership" ("organization_id", "created_at", "id")`,
    );
    this.addSql(
      `alter table "membership" add constraint "membership_organization_id_user_id_unique" unique ("organization_id", "user_id")`,
    );
    this.addSql(
      `alter table "membership" add constraint "membership_role_check" check ("role" in ('owner', 'manager', 'member'))`,
    );

    this.addSql(
      `create table "session" ("id" uuid not null, "user_id" uuid not null, "counter" int not null default 0, "rotated_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "last_used_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, "end_reason" varchar(40) null, "ip" varchar(64) null, "user_agent" varchar(400) null, primary key ("id"))`,
    );
    this.addSql(`create index "session_user_id_created_at_id_index" on "session" ("user_id", "created_at", "id")`);

    this.addSql(
      `create table "event" ("id" uuid not null, "organization_id" uuid not null, "name" varchar(200) not null, "slug" varchar(200) not null, "description" text null, "status" smallint not null default 0, "date_start" timestamptz(3) not null, "date_end" timestamptz(3) not null, "timezone" varchar(64) not null default 'UTC', "location" text null, "capacity" int null, "visibility" text not null default 'organization', "registration" text not null default 'open', "accepted_count" int not null default 0, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(
      `create index "event_date_start_index" on "event" ("organization_id", "date_start", "id") include ("status", "date_end", "visibility", "registration", "capacity", "created_at", "updated_at")`,
    );
    this.addSql(`create index "event_created_at_index" on "event" ("organization_id", "created_at", "id")`);
    this.addSql(
      `create index "event_status_date_start_index" on "event" ("organization_id", "status", "date_start", "id") include ("date_end")`,
    );
    this.addSql(
      `create index "event_visibility_date_start_index" on "event" ("organization_id", "visibility", "date_start", "id")`,
    );
    this.addSql(
      `create index "event_registration_date_start_index" on "event" ("organization_id", "registration", "date_start", "id")`,
    );
    this.addSql(`create index "event_date_end_index" on "event" ("organization_id", "date_end")`);
    this.addSql(`create index "event_updated_at_index" on "event" ("organization_id", "updated_at")`);
    this.addSql(`create index "event_capacity_index" on "event" ("organization_id", "capacity")`);
    this.addSql(
      `create index "event_name_trigram_index" on "event" using gin ("organization_id", "name" gin_trgm_ops)`,
    );
    this.addSql(
      `alter table "event" add constraint "event_organization_id_slug_unique" unique ("organization_id", "slug")`,
    );
    this.addSql(`alter table "event" add constraint "event_status_check" check ("status" >= 0 and "status" <= 3)`);
    this.addSql(`alter table "event" add constraint "event_dates_check" check ("date_end" >= "date_start")`);
    this.addSql(`alter table "event" add constraint "event_capacity_check" check ("capacity" >= 0)`);
    this.addSql(
      `alter table "event" add constraint "event_visibility_check" check ("visibility" in ('public', 'organization'))`,
    );
    this.addSql(
      `alter table "event" add constraint "event_registration_check" check ("registration" in ('open', 'approval', 'closed'))`,
    );

    this.addSql(
      `create table "subscription" ("id" uuid not null, "event_id" uuid not null, "user_id" uuid not null, "status" text not null, "answers" jsonb null, "checked_in_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(`create index "subscription_user_id_index" on "subscription" ("user_id")`);
    this.addSql(
      `create index "subscription_created_at_index" on "subscription" ("event_id", "created_at", "id") include ("status", "user_id", "checked_in_at", "updated_at")`,
    );
    this.addSql(
      `create index "subscription_status_created_at_index" on "subscription" ("event_id", "status", "created_at", "id")`,
    );
    this.addSql(
      `create index "subscription_event_id_user_id_index" on "subscription" ("event_id", "user_id", "created_at", "id")`,
    );
    this.addSql(
      `alter table "subscription" add constraint "subscription_status_check" check ("status" in ('pending', 'accepted', 'declined', 'waitlisted', 'cancelled'))`,
    );

    this.addSql(
      `create table "audit_entry" ("id" uuid not null, "organization_id" uuid null, "actor_id" uuid null, "subject_id" uuid null, "action" varchar(60) not null, "detail" jsonb null, "ip" varchar(64) null, "user_agent" varchar(400) null, "request_id" varchar(64) null, "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(
      `create index "audit_entry_organization_id_created_at_index" on "audit_entry" ("organization_id", "created_at", "id")`,
    );
    this.addSql(
      `create index "audit_entry_subject_id_created_at_index" on "audit_entry" ("subject_id", "created_at", "id")`,
    );

    for (const [table, column, parent] of [
      ['membership', 'organization_id', 'organization'],
      ['membership', 'user_id', 'user'],
      ['session', 'user_id', 'user'],
      ['event', 'organization_id', 'organization'],
      ['subscription', 'event_id', 'event'],
      ['subscription', 'user_id', 'user'],
    ]) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_foreign" foreign key ("${column}") references "${parent}" ("id") on delete cascade`,
      );
    }
    for (const statement of triggers) this.addSql(statement);
  }

  /** Drops everything but the extensions, which others may use. */
  override down(): void {
    for (const table of ['audit_entry', 'subscription', 'event', 'session', 'membership', 'user', 'organization']) {
      this.addSql(`drop table "${table}"`);
    }
    for (const name of ['subscription_count_accepted', 'membership_notify_access', 'session_notify_access']) {
      this.addSql(`drop function "${name}"()`);
    }
    this.addSql('drop function "notify_access_changed"(json[])');
  }
}
