import { Migration } from '@mikro-orm/migrations';

/** One-time tokens, the mail queue, and the counters of limits. */
export class Accounts extends Migration {
  override up(): void {
    this.addSql(
      `create table "one_time_token" ("id" uuid not null, "user_id" uuid not null, "purpose" text not null, "hash" varchar(43) not null, "organization_id" uuid null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`alter table "one_time_token" add constraint "one_time_token_hash_unique" unique ("hash")`);
    this.addSql(
      `alter table "one_time_token" add constraint "one_time_token_user_id_purpose_unique" unique ("user_id", "purpose")`,
    );
    this.addSql(
      `alter table "one_time_token" add constraint "one_time_token_purpose_check" check ("purpose" in ('verify_email', 'reset_password'))`,
    );
    this.addSql(`create index "one_time_token_organization_id_index" on "one_time_token" ("organization_id")`);
    this.addSql(`create index "one_time_token_expires_at_index" on "one_time_token" ("expires_at")`);
    for (const parent of ['user', 'organization']) {
      this.addSql(
        `alter table "one_time_token" add constraint "one_time_token_${parent}_id_foreign" foreign key ("${parent}_id") references "${parent}" ("id") on delete cascade`,
      );
    }

    this.addSql(
      `create table "mail_job" ("id" uuid not null, "kind" varchar(40) not null, "data" jsonb not null, "attempts" int not null default 0, "due_at" timestamptz(3) null default now(), "error" varchar(400) null, "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(`create index "mail_job_due_at_index" on "mail_job" ("due_at")`);

    // unlogged: losing counters in a crash of the database does no harm, and every sign-in writes two
    this.addSql(
      `create unlogged table "rate_limit" ("key" varchar(255) not null, "points" int not null default 0, "expire" bigint null, primary key ("key"))`,
    );
  }

  override down(): void {
    for (const table of ['rate_limit', 'mail_job', 'one_time_token']) this.addSql(`drop table "${table}"`);
  }
}
