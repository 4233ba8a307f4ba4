import { defineEntity, p } from '@mikro-orm/core';
import { timestamp } from '../../engine/columns.ts';
import { Subscription } from '../subscription/subscription.entity.ts';

/** In the mails to a holder who is not a member of the event's organization. */
export const GuestLink = defineEntity({
  name: 'GuestLink',
  tableName: 'guest_link',
  properties: {
    /** SHA-256 of the token, base64url: the row does not reveal it. */
    hash: p.string().length(43).primary(),
    subscription_id: () => p.manyToOne(Subscription).mapToPk().deleteRule('cascade').index(false),
    /** The token is derived from this and a secret of the service. */
    nonce: p.string().length(43).hidden(),
    /** Identifies the secret; after a rotation, the next mail gets another row. */
    key_id: p.string().length(16),
    /** When to check whether the link has expired: the end of the event decides, and may have moved by then. */
    expires_at: timestamp().index(),
  },
  indexes: [
    {
      name: 'guest_link_subscription_id_key_id_unique',
      expression:
        'create unique index "guest_link_subscription_id_key_id_unique" on "guest_link" ("subscription_id", "key_id")',
    },
  ],
});
