import { Migration } from '@mikro-orm/migrations';

/** The log of changes. It does not reach back to the beginning of the organizations that exist already. */
export class Changes extends Migration {
  override up(): void {
    this.addSql(
      `create table "change" ("organization_id" uuid not null, "seq" bigserial not null, "x" xid8 not null, "id" uuid not null, "kind" text not null, "op" text null, "member_op" text null, "object_id" uuid null, "event_id" uuid null, "user_id" uuid null, "version" int null, "actor_id" uuid null, "occurred_at" timestamptz(3) not null, primary key ("organization_id", "seq"))`,
    );
    this.addSql(`create index "change_kind_index" on "change" ("organization_id", "kind", "seq")`);
    this.addSql(
      `create index "change_member_index" on "change" ("organization_id", "user_id", "kind", "seq") where "member_op" is not null`,
    );
    this.addSql(`create index "change_transaction_index" on "change" ("x", "organization_id", "seq")`);
    this.addSql(
      `alter table "change" add constraint "change_kind_check" check ("kind" in ('event', 'form', 'subscription'))`,
    );
    for (const column of ['op', 'member_op']) {
      this.addSql(
        `alter table "change" add constraint "change_${column}_check" check ("${column}" in ('created', 'changed', 'deleted', 'hidden', 'refetch'))`,
      );
    }
    this.addSql(
      `create table "change_floor" ("organization_id" uuid not null, "seq" bigint not null, "updated_at" timestamptz(3) not null, primary key ("organization_id"))`,
    );
    this.addSql(
      `insert into "change_floor" ("organization_id", "seq", "updated_at") select "id", 0, now() from "organization"`,
    );
  }

  override down(): void {
    for (const table of ['change_floor', 'change']) this.addSql(`drop table "${table}"`);
  }
}
