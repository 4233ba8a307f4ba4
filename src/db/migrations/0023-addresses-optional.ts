import { Migration } from '@mikro-orm/migrations';

/** A user may have no address: the user of an API key, and one whose data were erased. */
export class AddressesOptional extends Migration {
  override up(): void {
    this.addSql(`alter table "user" alter column "email" drop not null, alter column "mailbox" drop not null`);
  }

  override down(): void {
    this.addSql(`delete from "user" where "email" is null`);
    this.addSql(`alter table "user" alter column "email" set not null, alter column "mailbox" set not null`);
  }
}
