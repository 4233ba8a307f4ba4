import { Migration } from '@mikro-orm/migrations';

/** Mails have an organization and a recipient, and notices to the subscribers of an event are queued piece by piece. */
export class MailBudgets extends Migration {
  override up(): void {
    this.addSql(`alter table "mail_job" add column "organization_id" uuid null, add column "recipient" uuid null`);
    this.addSql(`update "mail_job" job set "organization_id" = e."organization_id", "recipient" = s."user_id"
      from "subscription" s join "event" e on e."id" = s."event_id" where s."id" = job."about"`);
    this.addSql(`update "mail_job" job set "organization_id" = e."organization_id"
      from "guest_request" r join "event" e on e."id" = r."event_id"
      where job."kind" = 'guest_subscription_requested' and r."id" = (job."data"->>'requestId')::uuid`);
    this.addSql(
      `create table "notice_fan_out" ("id" uuid not null, "organization_id" uuid not null, "event_id" uuid not null, "notice" varchar(20) not null, "told" jsonb not null, "after_created_at" timestamptz(3) null, "after_id" uuid null, "position" bigint not null, "created_at" timestamptz(3) not null, "due_at" timestamptz(3) not null, "attempts" int not null default 0, primary key ("id"))`,
    );
    this.addSql(`create index "notice_fan_out_due_at_index" on "notice_fan_out" ("organization_id", "due_at")`);
    this.addSql(`create index "notice_fan_out_event_id_index" on "notice_fan_out" ("event_id", "position")`);
    this.addSql(
      `alter table "notice_fan_out" add constraint "notice_fan_out_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete cascade`,
    );
  }

  override down(): void {
    this.addSql(`drop table "notice_fan_out"`);
    this.addSql(`delete from "mail_job" where "kind" = 'subscription_digest'`);
    this.addSql(`alter table "mail_job" drop column "recipient", drop column "organization_id"`);
  }
}
