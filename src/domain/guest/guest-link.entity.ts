import { defineEntity, p } from '@mikro-orm/core';
import { Subscription } from '../subscription/subscription.entity.ts';

const GuestLinkSchema = defineEntity({
  name: 'GuestLink',
  tableName: 'guest_link',
  properties: {
    /** SHA-256 of the token, base64url: nothing in the row can be used. */
    hash: p.string().length(43).primary(),
    subscription: () => p.manyToOne(Subscription).ref().deleteRule('cascade').index('guest_link_subscription_id_index'),
    /** When to look whether the link is over; the event decides, and may have moved by then. */
    expiresAt: p.datetime(3).index('guest_link_expires_at_index'),
  },
});

/** A link to a subscription in a mail to its holder, who cannot sign in where the event is; one for each mail. */
export class GuestLink extends GuestLinkSchema.class {}
GuestLinkSchema.setClass(GuestLink);
