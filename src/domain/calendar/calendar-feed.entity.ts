import { defineEntity, p } from '@mikro-orm/core';
import { created_at } from '../../engine/columns.ts';
import { User } from '../user/user.entity.ts';

export const CalendarFeedSchema = defineEntity({
  name: 'CalendarFeed',
  tableName: 'calendar_feed',
  properties: {
    user_id: () => p.oneToOne(User).mapToPk().primary().owner().updateRule('no action').deleteRule('cascade'),
    /** SHA-256 of the secret in the feed's address, base64url: the row does not reveal the secret. */
    hash: p.string().length(43).unique('calendar_feed_hash_unique').hidden(),
    created_at: created_at(),
  },
});

/** The secret address where calendar programs read a user's subscriptions. */
export class CalendarFeed extends CalendarFeedSchema.class {}
CalendarFeedSchema.setClass(CalendarFeed);
