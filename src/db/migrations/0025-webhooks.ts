import { Migration } from '@mikro-orm/migrations';

/** Webhooks, their secrets, the changes that each has yet to deliver, and the log of its tries. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(
      `create table "webhook" ("id" uuid not null, "organization_id" uuid not null, "url" varchar(2000) not null, "kinds" text[] not null, "description" varchar(500) not null, "status" text not null, "status_reason" varchar(500) null, "created_by" uuid not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "last_success_at" timestamptz(3) null, "last_failure_at" timestamptz(3) null, "place" bytea null, "place_height" bigint not null, "place_open" xid8[] not null, "place_from" xid8 not null, "place_to" xid8 not null, "place_at" timestamptz(3) not null, "unread" boolean not null default true, "failing_since" timestamptz(3) null, "warnings" smallint not null default 0, "healthy" boolean not null default false, "answering" boolean not null default true, primary key ("id"))`,
    );
    this.addSql(
      `create index "webhook_organization_id_created_at_index" on "webhook" ("organization_id", "created_at", "id")`,
    );
    this.addSql(
      `create index "webhook_failing_since_index" on "webhook" ("failing_since") where "failing_since" is not null`,
    );
    this.addSql(
      `create table "webhook_delivery" ("id" uuid not null, "webhook_id" uuid not null, "change_id" uuid not null, "type" varchar(40) not null, "attempt" int not null, "status" text not null, "http_status" int null, "error" varchar(200) null, "response" varchar(1024) null, "duration_ms" int not null, "created_at" timestamptz(3) not null default now(), "next_attempt_at" timestamptz(3) null, "change" jsonb not null, "seq" bigint not null, primary key ("id"))`,
    );
    this.addSql(
      `create index "webhook_delivery_created_at_id_index" on "webhook_delivery" ("webhook_id", "created_at", "id")`,
    );
    this.addSql(`create index "webhook_delivery_change_id_index" on "webhook_delivery" ("webhook_id", "change_id")`);
    this.addSql(`create index "webhook_delivery_created_at_index" on "webhook_delivery" ("created_at")`);
    this.addSql(
      `create table "webhook_due" ("id" uuid not null, "webhook_id" uuid not null, "organization_id" uuid not null, "change_id" uuid not null, "seq" bigint not null, "kind" varchar(20) not null, "object_id" uuid not null, "change" jsonb not null, "attempts" int not null default 0, "step" int not null default 0, "first_tried_at" timestamptz(3) null, "due_at" timestamptz(3) not null, "held" boolean not null default false, "claim" uuid null, "claimed_until" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(`create unique index "webhook_due_change_unique" on "webhook_due" ("webhook_id", "change_id")`);
    this.addSql(`create index "webhook_due_object_index" on "webhook_due" ("webhook_id", "kind", "object_id", "seq")`);
    this.addSql(
      `create index "webhook_due_due_at_index" on "webhook_due" ("webhook_id", "due_at", "seq") where not "held"`,
    );
    this.addSql(
      `create index "webhook_due_claimed_until_index" on "webhook_due" ("claimed_until") where "claimed_until" is not null`,
    );
    this.addSql(
      `create table "webhook_secret" ("id" uuid not null, "webhook_id" uuid not null, "sealed" text not null, "created_at" timestamptz(3) not null default now(), "replaced_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(
      `create index "webhook_secret_created_at_index" on "webhook_secret" ("webhook_id", "created_at", "id")`,
    );
    this.addSql(
      `alter table "webhook" add constraint "webhook_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "webhook" add constraint "webhook_status_check" check ("status" in ('active', 'paused', 'disabled'))`,
    );
    this.addSql(
      `alter table "webhook_delivery" add constraint "webhook_delivery_webhook_id_foreign" foreign key ("webhook_id") references "webhook" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "webhook_delivery" add constraint "webhook_delivery_status_check" check ("status" in ('succeeded', 'failed'))`,
    );
    this.addSql(
      `alter table "webhook_due" add constraint "webhook_due_webhook_id_foreign" foreign key ("webhook_id") references "webhook" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "webhook_secret" add constraint "webhook_secret_webhook_id_foreign" foreign key ("webhook_id") references "webhook" ("id") on delete cascade`,
    );
  }

  override down(): void {
    for (const table of ['webhook_secret', 'webhook_due', 'webhook_delivery', 'webhook']) {
      this.addSql(`drop table "${table}"`);
    }
  }
}
