import { defineEntity, p } from '@mikro-orm/core';
import { created_at } from '../../engine/columns.ts';
import { User } from '../user/user.entity.ts';

export const CalendarFeedSchema = defineEntity({
  name: 'CalendarFeed',
  tableName: 'calendar_feed',
  properties: {
    user_id: () => p.oneToOne(User).mapToPk().primary().owner().updateRule('no action').deleteRule('cascade'),
    /** SHA-256 of the secret in the address, base64url: the row does not reveal it. */
    hash: p.string().length(43).unique().hidden(),
    created_at: created_at(),
  },
});

export class CalendarFeed extends CalendarFeedSchema.class {}
CalendarFeedSchema.setClass(CalendarFeed);
