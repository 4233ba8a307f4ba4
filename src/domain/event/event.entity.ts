import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp, updated_at } from '../../engine/columns.ts';
import { Organization } from '../organization/organization.entity.ts';

export const eventStatuses = { DRAFT: 0, ACTIVE: 1, CANCELLED: 2, ARCHIVED: 3 } as const;
export type EventStatus = (typeof eventStatuses)[keyof typeof eventStatuses];

export const eventVisibilities = ['public', 'organization'] as const;
export type EventVisibility = (typeof eventVisibilities)[number];

export const eventRegistrations = ['open', 'approval', 'closed'] as const;
/** How new subscriptions are handled (reference/subscriptions.md#first-status). */
export type EventRegistration = (typeof eventRegistrations)[number];

export const EventSchema = defineEntity({
  name: 'Event',
  tableName: 'event',
  properties: {
    id: id(),
    organization_id: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').index(false),
    name: p.string().length(200),
    slug: p.string().length(200),
    description: p.text().strictNullable(),
    status: p.smallint().$type<EventStatus>().default(0),
    date_start: timestamp(),
    date_end: timestamp(),
    timezone: p.string().length(64).default('UTC'),
    location: p.text().strictNullable(),
    capacity: p.integer().strictNullable(),
    visibility: p.enum(eventVisibilities).default('organization'),
    registration: p.enum(eventRegistrations).default('open'),
    waiting_list: p.boolean().default(true),
    /** Increases by one with each write (reference/writes.md#versions). */
    version: p.integer().default(1),
    /** The start whose reminder was sent or suppressed; another start makes it due again. */
    reminded_start: timestamp().strictNullable(),
    /** Whether it was cancelled when it was archived: then it is reinstated if it becomes active again. */
    archived_cancelled: p.boolean().default(false),
    /** Maintained by a trigger on subscriptions, so that no writer can forget it. */
    accepted_count: p.integer().default(0),
    created_at: created_at(),
    updated_at: updated_at(),
  },
  checks: [
    { name: 'event_status_check', expression: '"status" >= 0 and "status" <= 3' },
    { name: 'event_dates_check', expression: '"date_end" >= "date_start"' },
    { name: 'event_capacity_check', expression: '"capacity" >= 0' },
  ],
  uniques: [{ properties: ['organization_id', 'slug'] }],
  indexes: [
    // the default order; the included columns let a count with any filter read only the index
    {
      name: 'event_date_start_index',
      properties: ['organization_id', 'date_start', 'id'],
      include: ['status', 'date_end', 'visibility', 'registration', 'capacity', 'created_at', 'updated_at'],
    },
    { name: 'event_created_at_index', properties: ['organization_id', 'created_at', 'id'] },
    {
      name: 'event_status_date_start_index',
      properties: ['organization_id', 'status', 'date_start', 'id'],
      include: ['date_end'],
    },
    { name: 'event_visibility_date_start_index', properties: ['organization_id', 'visibility', 'date_start', 'id'] },
    {
      name: 'event_registration_date_start_index',
      properties: ['organization_id', 'registration', 'date_start', 'id'],
    },
    { name: 'event_date_end_index', properties: ['organization_id', 'date_end'] },
    { name: 'event_updated_at_index', properties: ['organization_id', 'updated_at'] },
    { name: 'event_capacity_index', properties: ['organization_id', 'capacity'] },
    {
      name: 'event_name_trigram_index',
      expression:
        'create index "event_name_trigram_index" on "event" using gin ("organization_id", lower("name") gin_trgm_ops)',
    },
    { name: 'event_reminder_index', properties: ['date_start'], where: 'status = 1' },
    // one or two characters do not make a trigram
    {
      name: 'event_name_gram_index',
      expression: 'create index "event_name_gram_index" on "event" using gin ("organization_id", name_grams("name"))',
    },
  ],
});

export class Event extends EventSchema.class {}
EventSchema.setClass(Event);
