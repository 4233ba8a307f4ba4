import { defineEntity, p } from '@mikro-orm/core';
import { id, timestamp } from '../../engine/columns.ts';
import { Event } from './event.entity.ts';
import type { EventTold } from './event-notice.ts';
import type { FanOutNotice } from './fan-out-notice.ts';

/** A notice whose mails to the subscribers of an event are being queued, piece by piece (note 0054). */
export const NoticeFanOut = defineEntity({
  name: 'NoticeFanOut',
  tableName: 'notice_fan_out',
  properties: {
    id: id(),
    organization_id: p.uuid(),
    event_id: () => p.manyToOne(Event).mapToPk().deleteRule('cascade').index(false),
    notice: p.string().$type<FanOutNotice>().length(20),
    /** What the subscribers knew before the change. */
    told: p.json<EventTold>(),
    /** The last subscription whose mail has been queued; null before the first. */
    after_created_at: timestamp().nullable(),
    after_id: p.uuid().nullable(),
    /** The position of its mails, taken from their sequence when the event changed. */
    position: p.bigint(),
    /** When the event changed: later subscribers need no notice. */
    created_at: timestamp(),
    due_at: timestamp(),
    /** Failures since the last piece that succeeded. */
    attempts: p.integer().default(0),
  },
  indexes: [
    { name: 'notice_fan_out_due_at_index', properties: ['organization_id', 'due_at'] },
    { name: 'notice_fan_out_event_id_index', properties: ['event_id', 'position'] },
  ],
});
