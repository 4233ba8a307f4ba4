import { Migration } from '@mikro-orm/migrations';

/** Requests of guests whose mailbox is not proven yet, and the links to subscriptions in mails. */
export class Guests extends Migration {
  override up(): void {
    this.addSql(
      `create table "guest_request" ("id" uuid not null, "event_id" uuid not null, "mailbox" varchar(400) not null, "email" varchar(320) not null, "name" varchar(200) not null, "answers" jsonb null, "form_version" int null, "hash" varchar(43) null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "guest_request_event_id_mailbox_index" on "guest_request" ("event_id", "mailbox")`);
    this.addSql(`create index "guest_request_expires_at_index" on "guest_request" ("expires_at")`);
    this.addSql(`alter table "guest_request" add constraint "guest_request_hash_unique" unique ("hash")`);
    this.addSql(
      `alter table "guest_request" add constraint "guest_request_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete cascade`,
    );
    this.addSql(
      `create table "guest_link" ("hash" varchar(43) not null, "subscription_id" uuid not null, "expires_at" timestamptz(3) not null, primary key ("hash"))`,
    );
    this.addSql(`create index "guest_link_subscription_id_index" on "guest_link" ("subscription_id")`);
    this.addSql(`create index "guest_link_expires_at_index" on "guest_link" ("expires_at")`);
    this.addSql(
      `alter table "guest_link" add constraint "guest_link_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on delete cascade`,
    );
    this.addSql(`alter table "subscription" add column "mailbox_proven" boolean not null default false`);
  }

  override down(): void {
    this.addSql('alter table "subscription" drop column "mailbox_proven"');
    this.addSql('drop table "guest_link"');
    this.addSql('drop table "guest_request"');
  }
}
