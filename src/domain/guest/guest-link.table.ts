import { defineEntity, p } from '@mikro-orm/core';
import { timestamp } from '../../kernel/columns.ts';
import { Subscription } from '../subscription/subscription.entity.ts';

/** The link to a subscription in the mails to its holder, who cannot sign in where the event is. */
export const GuestLink = defineEntity({
  name: 'GuestLink',
  tableName: 'guest_link',
  properties: {
    /** SHA-256 of the token, base64url: nothing in the row can be used. */
    hash: p.string().length(43).primary(),
    subscription_id: () => p.manyToOne(Subscription).mapToPk().deleteRule('cascade').index(false),
    /** What the token is derived from, with a secret of the service; null in rows of earlier versions, one for each mail. */
    nonce: p.string().length(43).nullable().hidden(),
    /** Names the secret; when it rotates, the next mail gets a row of its own. */
    key_id: p.string().length(16).nullable(),
    /** When to look whether the link is over; the event decides, and may have moved by then. */
    expires_at: timestamp().index('guest_link_expires_at_index'),
  },
  indexes: [
    {
      name: 'guest_link_subscription_id_key_id_unique',
      expression:
        'create unique index "guest_link_subscription_id_key_id_unique" on "guest_link" ("subscription_id", "key_id")',
    },
  ],
});
