import { defineEntity, p } from '@mikro-orm/core';
import { Organization } from '../organization/organization.entity.ts';
import { Event } from './event.entity.ts';

/** A former slug, which leads to its event until another event gets it (reference/events.md#slugs). */
export const EventSlug = defineEntity({
  name: 'EventSlug',
  tableName: 'event_slug',
  properties: {
    organization_id: () => p.manyToOne(Organization).mapToPk().primary().deleteRule('cascade').index(false),
    slug: p.string().length(200).primary(),
    event_id: () => p.manyToOne(Event).mapToPk().deleteRule('cascade').index(),
  },
});
