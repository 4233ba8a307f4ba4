import { Migration } from '@mikro-orm/migrations';

/**
 * Refuses a write to an organization that is being moved. A move puts triggers with this function on each table and
 * takes them away again; there are none otherwise. The first argument is the organization; a table whose rows do not name it
 * has two more, the table that does and the column that refers to it. What deletes the rows of a moved organization says so in
 * `events.deleting`. Read-only, as after a failover: processes of the previous version answer 503, too.
 */
const refuse = `
create function "refuse_moved_write"() returns trigger language plpgsql as $body$
declare
  own boolean := true;
  written jsonb;
begin
  if tg_nargs = 3 then
    if tg_op = 'DELETE' then written := to_jsonb(old); else written := to_jsonb(new); end if;
    execute format('select exists (select from %I where id = $1 and organization_id = $2)', tg_argv[1])
      into own using (written ->> tg_argv[2])::uuid, tg_argv[0]::uuid;
  end if;
  if own and current_setting('events.deleting', true) is distinct from tg_argv[0] then
    raise exception 'organization % is being moved', tg_argv[0]
      using errcode = 'read_only_sql_transaction', constraint = 'organization_moving';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end
$body$`;

/** Organizations that move to the database of another service, and where those are that have moved. */
export class OrganizationMoves extends Migration {
  override up(): void {
    this.addSql(
      `create table "organization_move" ("id" uuid not null, "target" varchar(400) not null, "address" varchar(2000) not null, "began_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(
      `create table "organization_place" ("id" uuid not null, "slug" varchar(200) not null, "address" varchar(2000) not null, "moved_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    this.addSql(`create index "organization_place_slug_index" on "organization_place" ("slug")`);
    this.addSql(
      `create table "moved_secret" ("hash" varchar(43) not null, "place_id" uuid not null, primary key ("hash"))`,
    );
    this.addSql(`create index "moved_secret_place_id_index" on "moved_secret" ("place_id")`);
    this.addSql(
      `alter table "moved_secret" add constraint "moved_secret_place_id_foreign" foreign key ("place_id") references "organization_place" ("id") on delete cascade`,
    );
    this.addSql(refuse);
  }

  override down(): void {
    this.addSql('drop table "moved_secret"');
    this.addSql('drop table "organization_place"');
    this.addSql('drop table "organization_move"');
    this.addSql('drop function "refuse_moved_write"()');
  }
}
