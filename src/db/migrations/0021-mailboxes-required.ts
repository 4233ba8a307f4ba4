import { Migration } from '@mikro-orm/migrations';
import { fillMailboxes } from './fill-mailboxes.ts';

const tables = ['user', 'invitation'];

/**
 * From now on every address has a mailbox. The check is validated without blocking, so that `set not null` reads no
 * rows.
 */
export class MailboxesRequired extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    // rows that processes of the previous version wrote after the columns were filled
    await fillMailboxes((...statement) => this.execute(...statement));
    for (const table of tables) {
      const check = `"${table}_mailbox_check"`;
      await this.execute(`alter table "${table}" drop constraint if exists ${check}`);
      await this.execute(`alter table "${table}" add constraint ${check} check ("mailbox" is not null) not valid`);
      await this.execute(`alter table "${table}" validate constraint ${check}`);
      await this.execute(`alter table "${table}" alter column "mailbox" set not null`);
      await this.execute(`alter table "${table}" drop constraint ${check}`);
    }
  }

  override async down(): Promise<void> {
    for (const table of tables) await this.execute(`alter table "${table}" alter column "mailbox" drop not null`);
  }
}
