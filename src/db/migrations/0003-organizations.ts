import { Migration } from '@mikro-orm/migrations';

/** Invitations, and indexes for the filters of the audit trail. */
export class Organizations extends Migration {
  override up(): void {
    this.addSql(
      `create table "invitation" ("id" uuid not null, "organization_id" uuid not null, "email" varchar(320) not null, "role" text not null, "hash" varchar(43) null, "inviter_id" uuid null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`alter table "invitation" add constraint "invitation_hash_unique" unique ("hash")`);
    this.addSql(
      `alter table "invitation" add constraint "invitation_role_check" check ("role" in ('owner', 'manager', 'member'))`,
    );
    this.addSql(
      `create unique index "invitation_organization_id_email_unique" on "invitation" ("organization_id", lower("email"))`,
    );
    this.addSql(
      `create index "invitation_organization_id_created_at_id_index" on "invitation" ("organization_id", "created_at", "id")`,
    );
    this.addSql(`create index "invitation_inviter_id_index" on "invitation" ("inviter_id")`);
    this.addSql(
      `alter table "invitation" add constraint "invitation_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "invitation" add constraint "invitation_inviter_id_foreign" foreign key ("inviter_id") references "user" ("id") on delete set null`,
    );

    // a trail is always read within one organization, by the columns of its filters
    this.addSql(`drop index "audit_entry_subject_id_created_at_index"`);
    for (const column of ['action', 'actor_id', 'subject_id']) {
      this.addSql(
        `create index "audit_entry_${column}_created_at_index" on "audit_entry" ("organization_id", "${column}", "created_at", "id")`,
      );
    }
  }

  override down(): void {
    for (const column of ['action', 'actor_id', 'subject_id']) {
      this.addSql(`drop index "audit_entry_${column}_created_at_index"`);
    }
    this.addSql(
      `create index "audit_entry_subject_id_created_at_index" on "audit_entry" ("subject_id", "created_at", "id")`,
    );
    this.addSql(`drop table "invitation"`);
  }
}
