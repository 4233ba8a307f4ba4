import { Migration } from '@mikro-orm/migrations';

/** When the mail of an invitation was sent. */
export class Invitations extends Migration {
  override up(): void {
    this.addSql('alter table "invitation" add column "mailed_at" timestamptz(3) null');
  }

  override down(): void {
    this.addSql('alter table "invitation" drop column "mailed_at"');
  }
}
