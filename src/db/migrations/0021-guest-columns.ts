import { Migration } from '@mikro-orm/migrations';

/**
 * Handles an insert without a mailbox, as by processes of the previous version. The rule is exact for ASCII addresses;
 * any other address has no mailbox until `fillMailboxes` computes it.
 */
const setMailbox = `
create function "set_mailbox"() returns trigger language plpgsql as $body$
begin
  if new."mailbox" is null and octet_length(new."email") = char_length(new."email") then
    new."mailbox" := lower(new."email" collate "C");
  end if;
  return new;
end
$body$`;

const tables = ['user', 'invitation'];

/**
 * Columns for a single rule of when two addresses are the same, for the names of guests, and for derived links
 * (note 0055). Later migrations fill them.
 */
export class GuestColumns extends Migration {
  override up(): void {
    this.addSql(setMailbox);
    for (const table of tables) {
      this.addSql(`alter table "${table}" add column "mailbox" varchar(400) null`);
      this.addSql(
        `create trigger "${table}_mailbox" before insert on "${table}" for each row when (new."mailbox" is null) execute function "set_mailbox"()`,
      );
    }
    this.addSql('alter table "subscription" add column "guest_name" varchar(200) null');
    this.addSql('alter table "guest_link" add column "nonce" varchar(43) null, add column "key_id" varchar(16) null');
  }

  override down(): void {
    this.addSql('alter table "guest_link" drop column "nonce", drop column "key_id"');
    this.addSql('alter table "subscription" drop column "guest_name"');
    for (const table of tables) {
      this.addSql(`drop trigger "${table}_mailbox" on "${table}"`);
      this.addSql(`alter table "${table}" drop column "mailbox"`);
    }
    this.addSql('drop function "set_mailbox"()');
  }
}
