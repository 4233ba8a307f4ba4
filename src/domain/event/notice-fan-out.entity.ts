import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { Event } from './event.entity.ts';
import type { EventTold } from './event-notice.ts';
import type { FannedNotice } from './fan-out-notice.ts';

const NoticeFanOutSchema = defineEntity({
  name: 'NoticeFanOut',
  tableName: 'notice_fan_out',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    organizationId: p.uuid(),
    event: () => p.manyToOne(Event).ref().deleteRule('cascade').index(false),
    notice: p.string().$type<FannedNotice>().length(20),
    /** What the subscribers knew before. */
    told: p.json<EventTold>(),
    /** The last subscription whose mail is queued; null before the first. */
    afterCreatedAt: p.datetime(3).nullable(),
    afterId: p.uuid().nullable(),
    /** That of its mails: from their sequence at the time of the change. */
    position: p.bigint(),
    /** When the event changed: later subscribers know how it is. */
    createdAt: p.datetime(3),
    dueAt: p.datetime(3),
    /** Failures since the last piece that succeeded. */
    attempts: p.integer().default(0),
  },
  indexes: [
    { name: 'notice_fan_out_due_at_index', properties: ['organizationId', 'dueAt'] },
    { name: 'notice_fan_out_event_id_index', properties: ['event', 'position'] },
  ],
});

/** A notice whose mails to the subscribers of an event are being queued, piece by piece (docs/decisions/0054). */
export class NoticeFanOut extends NoticeFanOutSchema.class {}
NoticeFanOutSchema.setClass(NoticeFanOut);
