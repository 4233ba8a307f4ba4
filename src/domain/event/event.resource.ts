import type { ListResource } from '../../engine/list/resource.ts';
import { field } from '../nouns/nouns.ts';
import { type Event, eventRegistrations, eventStatuses, eventVisibilities } from './event.entity.ts';
import { type Availability, phaseFilter } from './event-moment.ts';
import { viewerSubscriptionFilter } from './viewer-subscription.filter.ts';

const fields = {
  id: field.id('event', 'Identifier of the event.'),
  name: field.search('Name, 1 to 200 characters.'),
  slug: field.text('Name in links, unique within the organization.', { filter: true }),
  description: field.text('Description, up to 20,000 characters.', { nullable: true }),
  status: field.status(eventStatuses, 'The status of the event.'),
  date_start: field.timestamp('When the event starts.'),
  date_end: field.timestamp('When the event ends; never before it starts.'),
  timezone: field.text('IANA time zone for display and calendars.'),
  location: field.text('Where the event takes place.', { nullable: true }),
  capacity: field.number('The maximum number of accepted subscriptions; null for unlimited.', {
    nullable: true,
    filter: true,
  }),
  visibility: field.choice(eventVisibilities, 'Who may see it; public events have a public page.'),
  registration: field.choice(eventRegistrations, 'Whether a new subscription is accepted, pending or refused.'),
  waiting_list: field.flag('Whether people can wait for a place when the event is full.', { filter: true }),
  accepted_count: field.number('The number of accepted subscriptions; the same for every viewer.'),
  version: field.number('Increases by one with each change of the event; subscriptions do not change it.'),
  created_at: field.timestamp('When the event was created.'),
  updated_at: field.timestamp('When the event was last changed.'),
} satisfies { [Name in keyof Event]?: unknown };

export type EventRow = Pick<Event, keyof typeof fields> & ComputedFields;

/** Set if they are among the columns that were asked for. */
export interface ComputedFields {
  availability?: Availability;
  places_left?: number | null;
  url?: string | null;
}

export const eventResource: ListResource<keyof typeof fields> = {
  name: 'event',
  table: 'event',
  order: 'date_start',
  derived: { phase: phaseFilter },
  filters: { viewer_subscription: viewerSubscriptionFilter },
  fields,
};

export const eventColumns = Object.keys(fields) as (keyof typeof fields)[];
