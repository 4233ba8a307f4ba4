import { Migration } from '@mikro-orm/migrations';

/** Who a stored response is about, so that it goes with them, and since when an organization is being deleted. */
export class Leaving extends Migration {
  override up(): void {
    this.addSql(`alter table "idempotency_key" add column "concerns" uuid[] not null default '{}'`);
    this.addSql(`alter table "organization" add column "deleted_at" timestamptz(3) null`);
  }

  override down(): void {
    this.addSql(`alter table "organization" drop column "deleted_at"`);
    this.addSql(`alter table "idempotency_key" drop column "concerns"`);
  }
}
