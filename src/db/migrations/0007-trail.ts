import { Migration } from '@mikro-orm/migrations';

/**
 * An entry about a person is written once, whatever organizations the person belongs to; the memberships at that time
 * decide who may read it. So former memberships are kept (note 0024).
 */
export class Trail extends Migration {
  override up(): void {
    this.addSql('alter table "audit_entry" add column "person_id" uuid null');
    this.addSql('alter table "membership" add column "shares_trail" boolean not null default false');
    this.addSql(
      `create table "former_membership" ("id" uuid not null, "organization_id" uuid not null, "user_id" uuid not null, "began_at" timestamptz(3) not null, "ended_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `create index "former_membership_organization_id_user_id_index" on "former_membership" ("organization_id", "user_id")`,
    );
    this.addSql(`create index "former_membership_ended_at_index" on "former_membership" ("ended_at")`);
    this.addSql(
      `alter table "former_membership" add constraint "former_membership_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
    );
    // an organization that is going takes its memberships along, and nobody reads its trail
    this.addSql(`create function "membership_keep_period"() returns trigger language plpgsql as $body$
      begin
        insert into "former_membership" ("id", "organization_id", "user_id", "began_at", "ended_at")
          select gen_random_uuid(), "old_rows"."organization_id", "old_rows"."user_id", "old_rows"."created_at", now()
          from "old_rows" join "organization" on "organization"."id" = "old_rows"."organization_id"
          where "old_rows"."shares_trail";
        return null;
      end
      $body$`);
    this.addSql(
      `create trigger "membership_keep_period_on_delete" after delete on "membership" referencing old table as "old_rows" for each statement execute function "membership_keep_period"()`,
    );
  }

  override down(): void {
    this.addSql('drop trigger "membership_keep_period_on_delete" on "membership"');
    this.addSql('drop function "membership_keep_period"()');
    this.addSql('drop table "former_membership"');
    this.addSql('alter table "membership" drop column "shares_trail"');
    this.addSql('alter table "audit_entry" drop column "person_id"');
  }
}
