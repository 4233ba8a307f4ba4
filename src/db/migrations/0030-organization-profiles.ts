import { Migration } from '@mikro-orm/migrations';

/** What an organization says on its public pages, and its version. */
export class OrganizationProfiles extends Migration {
  override up(): void {
    this.addSql(
      `alter table "organization" add column "description" text null, add column "website" varchar(2000) null, add column "contact_email" varchar(320) null, add column "accent" varchar(7) null, add column "version" int not null default 1`,
    );
  }

  override down(): void {
    this.addSql(
      `alter table "organization" drop column "description", drop column "website", drop column "contact_email", drop column "accent", drop column "version"`,
    );
  }
}
