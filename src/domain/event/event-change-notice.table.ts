import { defineEntity, p } from '@mikro-orm/core';
import { timestamp } from '../../engine/columns.ts';
import { Event } from './event.entity.ts';
import type { TimeAndPlace } from './event-notice.ts';

/** Changes of an event that are being gathered, to be sent in one mail (reference/subscriptions.md#mails). */
export const EventChangeNotice = defineEntity({
  name: 'EventChangeNotice',
  tableName: 'event_change_notice',
  properties: {
    event_id: () => p.oneToOne(Event).mapToPk().primary().owner().deleteRule('cascade').index(false),
    /** The time and place before the first change. */
    former: p.json<TimeAndPlace>(),
    due_at: timestamp(),
  },
  indexes: [{ properties: ['due_at'] }],
});
