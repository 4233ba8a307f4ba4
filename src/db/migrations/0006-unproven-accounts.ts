import { Migration } from '@mikro-orm/migrations';

/**
 * Accounts whose address is not proven have neither memberships nor organizations: what a sign-up joins or creates
 * waits in a table of its own, and a mailed token names what its use joins or creates (note 0022).
 */
export class UnprovenAccounts extends Migration {
  override up(): void {
    this.addSql(
      `create table "pending_sign_up" ("user_id" uuid not null, "name" varchar(200) not null, "organization_id" uuid null, "organization_name" varchar(200) null, "disputed" boolean not null default false, "created_at" timestamptz(3) not null default now(), primary key ("user_id"))`,
    );
    this.addSql(`create index "pending_sign_up_organization_id_index" on "pending_sign_up" ("organization_id")`);
    this.addSql(
      `alter table "pending_sign_up" add constraint "pending_sign_up_user_id_foreign" foreign key ("user_id") references "user" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "pending_sign_up" add constraint "pending_sign_up_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete set null`,
    );
    this.addSql(`alter table "one_time_token" add column "name" varchar(200) null`);
    this.addSql(`alter table "one_time_token" add column "organization_name" varchar(200) null`);
    this.#withdrawMemberships();
    this.#normalizeAddresses();
  }

  /**
   * What earlier versions gave to unverified sign-ups becomes pending until the address is verified. An organization is
   * deleted only if nobody else belongs to it and it has nothing but its name. A membership that was not made by a
   * sign-up came from an import and stays: it counts once the address is proven.
   */
  #withdrawMemberships(): void {
    this.addSql(`insert into "pending_sign_up" ("user_id", "name", "organization_id", "organization_name", "created_at")
      select distinct on (m."user_id") m."user_id", u."name",
        case when m."role" = 'member' then m."organization_id" end,
        case when m."role" = 'owner' then o."name" end,
        u."created_at"
      from "membership" m
        join "user" u on u."id" = m."user_id" and u."verified_at" is null
        join "organization" o on o."id" = m."organization_id"
      where exists (
          select from "audit_entry" a where a."organization_id" = m."organization_id" and a."subject_id" = m."user_id"
            and a."action" = 'user.signed_up'
        )
        and (m."role" = 'member' or m."role" = 'owner'
          and not exists (select from "membership" other where other."organization_id" = o."id" and other."id" <> m."id")
          and not exists (select from "event" e where e."organization_id" = o."id"))
      order by m."user_id", m."created_at"`);
    this.addSql(`delete from "organization" o using "membership" m, "pending_sign_up" p
      where m."organization_id" = o."id" and m."role" = 'owner' and m."user_id" = p."user_id"
        and p."organization_name" = o."name"
        and not exists (select from "membership" other where other."organization_id" = o."id" and other."id" <> m."id")
        and not exists (select from "event" e where e."organization_id" = o."id")`);
    this.addSql(`delete from "membership" m using "pending_sign_up" p
      where m."user_id" = p."user_id" and m."organization_id" = p."organization_id" and m."role" = 'member'`);
    // the links that were mailed for these sign-ups stay valid
    this.addSql(`update "one_time_token" t
      set "name" = p."name", "organization_id" = p."organization_id", "organization_name" = p."organization_name"
      from "pending_sign_up" p where p."user_id" = t."user_id" and t."purpose" = 'verify_email'`);
  }

  /** From now on addresses are in form NFC; one that another account already has in that form stays as it is. */
  #normalizeAddresses(): void {
    this.addSql(`update "user" u set "email" = normalize(u."email", NFC)
      from (
        select distinct on (lower(normalize("email", NFC))) "id" from "user" where "email" is not NFC normalized
        order by lower(normalize("email", NFC)), "created_at"
      ) as first
      where u."id" = first."id" and not exists (
        select from "user" other where other."id" <> u."id" and lower(other."email") = lower(normalize(u."email", NFC))
      )`);
  }

  override down(): void {
    this.addSql(`alter table "one_time_token" drop column "organization_name"`);
    this.addSql(`alter table "one_time_token" drop column "name"`);
    this.addSql(`drop table "pending_sign_up"`);
  }
}
