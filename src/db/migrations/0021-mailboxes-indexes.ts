import { fillMailboxes } from './fill-mailboxes.ts';
import { IndexMigration } from './index-migration.ts';

/**
 * Mailboxes become unique; the previous rule compared addresses by PostgreSQL's `lower`. Pages of subscriptions read
 * the names of guests from an index, and a subscription has one link for each secret.
 */
export class MailboxesIndexes extends IndexMigration {
  override async up(): Promise<void> {
    await fillMailboxes((...statement) => this.execute(...statement));
    await this.createIndex('user_mailbox_unique', 'on "user" ("mailbox")', { unique: true });
    await this.createIndex(
      'invitation_organization_id_mailbox_unique',
      'on "invitation" ("organization_id", "mailbox")',
      {
        unique: true,
      },
    );
    await this.dropIndex('user_email_lower_unique');
    await this.dropIndex('invitation_organization_id_email_unique');
    await this.createIndex(
      'guest_link_subscription_id_key_id_unique',
      'on "guest_link" ("subscription_id", "key_id")',
      {
        unique: true,
      },
    );
    await this.dropIndex('guest_link_subscription_id_index');
    await this.replaceIndex('subscription_created_at_index', this.#subscriptions(', "guest_name"'));
  }

  override async down(): Promise<void> {
    await this.replaceIndex('subscription_created_at_index', this.#subscriptions());
    await this.createIndex('guest_link_subscription_id_index', 'on "guest_link" ("subscription_id")');
    await this.dropIndex('guest_link_subscription_id_key_id_unique');
    await this.createIndex('user_email_lower_unique', 'on "user" (lower("email"))', { unique: true });
    await this.createIndex(
      'invitation_organization_id_email_unique',
      'on "invitation" ("organization_id", lower("email"))',
      {
        unique: true,
      },
    );
    await this.dropIndex('invitation_organization_id_mailbox_unique');
    await this.dropIndex('user_mailbox_unique');
  }

  #subscriptions(further = ''): string {
    return `on "subscription" ("event_id", "created_at", "id") include ("status", "user_id", "checked_in_at", "updated_at"${further})`;
  }
}
