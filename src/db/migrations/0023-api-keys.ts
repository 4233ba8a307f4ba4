import { Migration } from '@mikro-orm/migrations';

/** Every process forgets a key that was ended or whose row is gone, as it forgets the sessions of a user. */
const notifyAccess = `
create function "api_key_notify_access"() returns trigger language plpgsql as $body$
declare
  payloads json[];
begin
  if tg_op = 'DELETE' then
    select array_agg(json_build_object('user', "id", 'organization', "organization_id")) into payloads from "old_rows";
  else
    select array_agg(json_build_object('user', "new_rows"."id", 'organization', "new_rows"."organization_id")) into payloads
      from "new_rows" join "old_rows" using ("id")
      where ("new_rows"."ended_at", "new_rows"."expires_at", "new_rows"."role", "new_rows"."access")
        is distinct from ("old_rows"."ended_at", "old_rows"."expires_at", "old_rows"."role", "old_rows"."access");
  end if;
  perform "notify_access_changed"(payloads);
  return null;
end
$body$`;

/** The keys that machines sign in with. */
export class ApiKeys extends Migration {
  override up(): void {
    this.addSql(
      `create table "api_key" ("id" uuid not null, "organization_id" uuid not null, "role" text not null, "access" text not null, "prefix" varchar(12) not null, "hash" varchar(43) not null, "created_by" uuid not null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) null, "last_used_at" timestamptz(3) null, "ended_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(`alter table "api_key" add constraint "api_key_role_check" check ("role" in ('member', 'manager'))`);
    this.addSql(`alter table "api_key" add constraint "api_key_access_check" check ("access" in ('read', 'write'))`);
    this.addSql(`alter table "api_key" add constraint "api_key_hash_unique" unique ("hash")`);
    this.addSql(
      `create index "api_key_organization_id_created_at_id_index" on "api_key" ("organization_id", "created_at", "id")`,
    );
    this.addSql(
      `alter table "api_key" add constraint "api_key_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
    );
    this.addSql(notifyAccess);
    for (const [operation, rows] of [
      ['update', 'old table as "old_rows" new table as "new_rows"'],
      ['delete', 'old table as "old_rows"'],
    ]) {
      this.addSql(
        `create trigger "api_key_notify_access_on_${operation}" after ${operation} on "api_key" referencing ${rows} for each statement execute function "api_key_notify_access"()`,
      );
    }
  }

  override down(): void {
    this.addSql(`delete from "user" using "api_key" where "user"."id" = "api_key"."id"`);
    this.addSql(`drop table "api_key"`);
    this.addSql(`drop function "api_key_notify_access"`);
  }
}
