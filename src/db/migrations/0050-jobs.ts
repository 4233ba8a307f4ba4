import { Migration } from '@mikro-orm/migrations';

/** One table for all that is done after the transaction that caused it. */
export class Jobs extends Migration {
  override up(): void {
    this.addSql(
      `create table "job" ("id" uuid not null, "lane" text not null, "kind" varchar(40) not null, "data" jsonb not null, "about" uuid generated always as ((coalesce("data"->>'subscriptionId', "data"->'change'->>'id')::uuid)) stored null, "organization_id" uuid null, "party" uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff', "key" varchar(60) null, "position" bigserial not null, "held" boolean not null default false, "claimed" boolean not null default false, "attempts" int not null default 0, "due_at" timestamptz(3) null default now(), "error" varchar(400) null, "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(
      `alter table "job" add constraint "job_lane_check" check ("lane" in ('account_mails', 'guest_mails', 'event_mails', 'notices', 'deliveries', 'periodic'))`,
    );
    this.addSql(`create index "job_due_index" on "job" ("lane", "due_at") where "due_at" is not null`);
    this.addSql(
      `create index "job_party_index" on "job" ("lane", "party", "due_at", "position") where "due_at" is not null`,
    );
    this.addSql(`create index "job_key_index" on "job" ("party", "key", "position") where "key" is not null`);
    this.addSql(`create index "job_claimed_index" on "job" ("lane", "party") where "claimed"`);
    this.addSql(
      `create index "job_organization_index" on "job" ("organization_id") where "organization_id" is not null`,
    );
    this.addSql(
      `create unique index "job_digest_unique" on "job" ("party", "key") where "kind" = 'subscription_digest' and "attempts" = 0`,
    );
    this.addSql(`create unique index "job_delivery_unique" on "job" ("party", "about") where "lane" = 'deliveries'`);
    this.addSql(`create unique index "job_periodic_unique" on "job" ("key") where "lane" = 'periodic'`);
    this.addSql(`create index "job_given_up_index" on "job" ("created_at") where "due_at" is null`);
    this.addSql(`insert into "job" ("id", "lane", "kind", "data", "organization_id", "party", "key", "position", "attempts", "due_at", "error", "created_at")
      select id, case when organization_id is null then 'account_mails' when recipient is null then 'guest_mails' else 'event_mails' end,
        kind, data, organization_id, coalesce(organization_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), recipient::text, position, attempts, due_at, error, created_at
      from "mail_job"`);
    this.addSql(`insert into "job" ("id", "lane", "kind", "data", "organization_id", "party", "key", "position", "due_at", "created_at")
      select id, 'notices', notice,
        jsonb_build_object('told', told) || case when after_id is null then '{}' else jsonb_build_object('afterCreatedAt', after_created_at, 'afterId', after_id) end,
        organization_id, organization_id, event_id::text, position, due_at, created_at from "notice_fan_out"`);
    this.addSql(`insert into "job" ("id", "lane", "kind", "data", "organization_id", "party", "key", "position", "error", "due_at")
      select id, 'deliveries', 'delivery', jsonb_build_object('change', change, 'attempts', attempts, 'step', step,
          'firstTriedAt', to_char(first_tried_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
        organization_id, webhook_id, kind || ' ' || object_id, seq, case when attempts > 0 then 'failed' end, due_at from "webhook_due"`);
    this.addSql(`select setval('job_position_seq', nextval('mail_job_position_seq'))`);
    this.addSql(`drop table "mail_job", "notice_fan_out", "webhook_due"`);
    this.addSql(`alter table "webhook" drop column "turn", drop column "turn_until", drop column "sending"`);
  }

  /** What waits is lost. */
  override down(): void {
    this.addSql(`drop table "job"`);
    this.addSql(
      `alter table "webhook" add column "turn" uuid null, add column "turn_until" timestamptz(3) null, add column "sending" smallint not null default 0`,
    );
    this.addSql(
      `create table "mail_job" ("id" uuid not null, "kind" varchar(40) not null, "data" jsonb not null, "about" uuid generated always as (("data"->>'subscriptionId')::uuid) stored null, "organization_id" uuid null, "recipient" uuid null, "position" bigserial, "held" boolean not null default false, "attempts" int not null default 0, "due_at" timestamptz(3) null default now(), "error" varchar(400) null, "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(`create index "mail_job_link_index" on "mail_job" ("due_at") where "organization_id" is null`);
    this.addSql(
      `create index "mail_job_guest_index" on "mail_job" ("organization_id", "due_at") where "recipient" is null and "due_at" is not null`,
    );
    this.addSql(
      `create index "mail_job_event_index" on "mail_job" ("organization_id", "due_at") where "recipient" is not null and "due_at" is not null`,
    );
    this.addSql(
      `create index "mail_job_recipient_index" on "mail_job" ("organization_id", "recipient", "position") where "recipient" is not null`,
    );
    this.addSql(
      `create unique index "mail_job_digest_unique" on "mail_job" ("organization_id", "recipient") where "kind" = 'subscription_digest' and "attempts" = 0`,
    );
    this.addSql(`create index "mail_job_given_up_index" on "mail_job" ("created_at") where "due_at" is null`);
    this.addSql(
      `create table "notice_fan_out" ("id" uuid not null, "organization_id" uuid not null, "event_id" uuid not null, "notice" varchar(20) not null, "told" jsonb not null, "after_created_at" timestamptz(3) null, "after_id" uuid null, "position" bigint not null, "created_at" timestamptz(3) not null, "due_at" timestamptz(3) not null, "attempts" int not null default 0, primary key ("id"))`,
    );
    this.addSql(`create index "notice_fan_out_due_at_index" on "notice_fan_out" ("organization_id", "due_at")`);
    this.addSql(`create index "notice_fan_out_event_id_index" on "notice_fan_out" ("event_id", "position")`);
    this.addSql(
      `create table "webhook_due" ("id" uuid not null, "webhook_id" uuid not null, "organization_id" uuid not null, "change_id" uuid not null, "seq" bigint not null, "kind" varchar(20) not null, "object_id" uuid not null, "change" jsonb not null, "attempts" int not null default 0, "step" int not null default 0, "first_tried_at" timestamptz(3) null, "due_at" timestamptz(3) not null, "held" boolean not null default false, primary key ("id"))`,
    );
    this.addSql(`create unique index "webhook_due_change_unique" on "webhook_due" ("webhook_id", "change_id")`);
    this.addSql(`create index "webhook_due_object_index" on "webhook_due" ("webhook_id", "kind", "object_id", "seq")`);
    this.addSql(
      `create index "webhook_due_due_at_index" on "webhook_due" ("webhook_id", "due_at", "seq") where not "held"`,
    );
    this.addSql(
      `create index "webhook_due_held_index" on "webhook_due" ("webhook_id", "kind", "object_id", "seq") where "held"`,
    );
    this.addSql(
      `alter table "notice_fan_out" add constraint "notice_fan_out_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "webhook_due" add constraint "webhook_due_webhook_id_foreign" foreign key ("webhook_id") references "webhook" ("id") on delete cascade`,
    );
  }
}
