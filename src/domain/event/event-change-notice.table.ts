import { defineEntity, p } from '@mikro-orm/core';
import { timestamp } from '../../engine/columns.ts';
import { Event } from './event.entity.ts';
import type { TimeAndPlace } from './time-and-place.ts';

/**
 * A pending notice: changes of an event are gathered and then sent to its subscribers
 * (reference/subscriptions.md#mails).
 */
export const EventChangeNotice = defineEntity({
  name: 'EventChangeNotice',
  tableName: 'event_change_notice',
  properties: {
    event_id: () => p.oneToOne(Event).mapToPk().primary().owner().deleteRule('cascade').index(false),
    /** The time and place before the first change. */
    former: p.json<TimeAndPlace>(),
    due_at: timestamp(),
  },
  indexes: [{ name: 'event_change_notice_due_at_index', properties: ['due_at'] }],
});
