import { defineEntity, p } from '@mikro-orm/core';
import { Event } from './event.entity.ts';
import type { EventMoment } from './event-moment.ts';

const EventChangeNoticeSchema = defineEntity({
  name: 'EventChangeNotice',
  tableName: 'event_change_notice',
  properties: {
    event: () => p.oneToOne(Event).ref().primary().owner().deleteRule('cascade').index(false),
    /** The time and place before the first of the changes. */
    former: p.json<EventMoment>(),
    dueAt: p.datetime(3),
  },
  indexes: [{ name: 'event_change_notice_due_at_index', properties: ['dueAt'] }],
});

/** A pending notice: changes of an event are gathered, and then sent to its subscribers (decisions §9). */
export class EventChangeNotice extends EventChangeNoticeSchema.class {}
EventChangeNoticeSchema.setClass(EventChangeNotice);
