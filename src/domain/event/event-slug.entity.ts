import { defineEntity, p } from '@mikro-orm/core';
import { Organization } from '../organization/organization.entity.ts';
import { Event } from './event.entity.ts';

const EventSlugSchema = defineEntity({
  name: 'EventSlug',
  tableName: 'event_slug',
  properties: {
    organization: () => p.manyToOne(Organization).ref().primary().deleteRule('cascade').index(false),
    slug: p.string().length(200).primary(),
    event: () => p.manyToOne(Event).ref().deleteRule('cascade').index('event_slug_event_id_index'),
  },
});

/** A former slug of an event: it leads to the event until another event gets it (decisions §8). */
export class EventSlug extends EventSlugSchema.class {}
EventSlugSchema.setClass(EventSlug);
