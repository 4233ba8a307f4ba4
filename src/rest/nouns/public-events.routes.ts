import { z } from 'zod';
import { organizationResource } from '../../domain/organization/organization.resource.ts';
import { getPublicOrganization, publicOrganizationFields } from '../../domain/public/organizer.ts';
import { getPublicForm, publicEvents } from '../../domain/public/public-events.ts';
import { listRoutes } from '../server/list.routes.ts';
import { viewOf } from '../server/list.schema.ts';
import { publicEventView } from '../server/resource.schemas.ts';
import { route, tagged } from '../server/route.ts';
import { formSchema } from './forms.routes.ts';

const organizationView = viewOf({ ...organizationResource, fields: publicOrganizationFields }, 'PublicOrganization', {
  further: { url: z.url().meta({ description: 'The address of its public page.' }) },
});

export const publicEventRoutes = tagged('public', [
  ...listRoutes('public/events', 'PublicEvents', {
    ...publicEvents,
    view: publicEventView,
    summary: 'Lists the public events of an organization that are active or cancelled, ordered by start.',
    one: { parameter: 'event', summary: 'A public event, by its id, its slug or a former slug.' },
    uncached: ['places_left'],
  }),
  route('GET /public/events/{event}/form', 'getPublicEventForm', {
    read: 'publicEventForm',
    summary: 'The current form of a public event.',
    access: 'public',
    cached: { unlessFields: [] },
    response: formSchema,
    errors: ['NOT_FOUND'],
    handle: ({ ctx, params }) => getPublicForm(ctx, params.event ?? ''),
  }),
  route('GET /public/organizations/{slug}', 'getPublicOrganization', {
    read: 'publicOrganization',
    summary: 'An organization as its public page shows it.',
    access: 'slug',
    cached: { unlessFields: [] },
    response: organizationView.schema,
    errors: ['NOT_FOUND'],
    handle: ({ ctx }) => getPublicOrganization(ctx),
  }),
]);
