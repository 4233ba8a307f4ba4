import { Migration } from '@mikro-orm/migrations';

/** Mails about a subscription are sent in the order of its changes. */
export class MailOrder extends Migration {
  override up(): void {
    this.addSql(`alter table "mail_job"
      add column "about" uuid generated always as (("data"->>'subscriptionId')::uuid) stored,
      add column "position" bigserial,
      add column "held" boolean not null default false`);
  }

  override down(): void {
    this.addSql('alter table "mail_job" drop column "held", drop column "position", drop column "about"');
  }
}
