import { Selection } from '#compiled-graphql';
import type { Form } from '../../domain/event/event-form.ts';
import {
  getPublicOrganization,
  type PublicOrganization,
  publicOrganizationFields,
} from '../../domain/public/organizer.ts';
import { type PublicEventRow, publicEventResource } from '../../domain/public/public-event.resource.ts';
import {
  findPublicEvent,
  publicEventLoader,
  publicEvents,
  publicFormLoader,
} from '../../domain/public/public-events.ts';
import { findPublicScope, type PublicContext } from '../../domain/public/public-scope.ts';
import { builder } from '../builder/builder.ts';
import { parseEitherId } from '../builder/global-id.ts';
import { pageOfNodes } from '../relay/list-arguments.ts';
import { shownFields } from '../relay/node-fields.ts';
import { ownConnection, pagesOf } from '../relay/own-connection.ts';
import { resourceNode } from '../relay/resource-node.ts';
import { EventFieldsRef, placesLeftField } from './event-fields.ts';
import { EventFormRef } from './event-form.ts';

const PublicEvent = resourceNode<PublicEventRow>('PublicEvent', {
  description: 'A public event, as anyone can see it without a token.',
  resource: publicEventResource,
  interfaces: [EventFieldsRef],
  loader: publicEventLoader,
  public: true,
  fields: (t) => ({
    placesLeft: t.int({
      ...placesLeftField,
      extensions: { columns: ['places_left'] },
      resolve: (event) => event.places_left ?? null,
    }),
    url: t.string({
      description: 'The address of its public page.',
      extensions: { columns: ['url'] },
      resolve: (event) => event.url as string,
    }),
    form: t.field({
      type: EventFormRef,
      description: 'The current form of the event.',
      extensions: { read: 'publicEventForm', columns: ['organization_id'], cost: 1 },
      resolve: async ({ id, organization_id }, _args, ctx) => {
        const form = await publicFormLoader(ctx, organization_id).load(id);
        return { id, ...(form as Form) };
      },
    }),
  }),
});

const publicEventPages = pagesOf(PublicEvent, publicEventResource, 'public events', 'events');

/** Its events are read within its scope, whichever organization the header names. */
type OrganizationInScope = PublicOrganization & { ctx: PublicContext };

const PublicOrganizationRef = builder.objectRef<OrganizationInScope>('PublicOrganization').implement({
  description: 'An organization, as anyone can see it without a token.',
  fields: (t) => ({
    ...shownFields(t, publicOrganizationFields),
    url: t.exposeString('url', { description: 'The address of its public page.' }),
    events: t.field({
      ...publicEventPages,
      description: 'Its public events that are active or cancelled, ordered by start.',
      extensions: { read: 'publicEvents', cost: pageOfNodes },
      resolve: ({ ctx }, args, _ctx, info) => ownConnection(info, args, ctx, publicEvents),
    }),
  }),
});

builder.queryFields((t) => ({
  publicOrganization: t.field({
    type: PublicOrganizationRef,
    nullable: true,
    description: 'An organization by its slug; null if there is none. Needs neither a token nor `x-organization-id`.',
    args: { slug: t.arg.string({ required: true, description: 'The slug of the organization.' }) },
    extensions: { read: 'publicOrganization', cost: 1, access: 'anyone' },
    resolve: async (_root, { slug }, ctx) => {
      const publicScope = await findPublicScope(ctx, slug);
      if (!publicScope) return null;
      // the context may itself inherit from that of the request
      const scoped: PublicContext = Object.assign(Object.create(ctx), { publicScope });
      return { ...(await getPublicOrganization(scoped)), ctx: scoped };
    },
  }),
  publicEvent: t.field({
    type: PublicEvent,
    nullable: true,
    description: 'A public event by its id; null if there is none. Needs no token.',
    args: { id: t.arg.id({ required: true, description: 'The global id or the `databaseId`.' }) },
    extensions: { read: 'publicEvent', cost: 1, access: 'public' },
    resolve: (_root, { id }, ctx, info) =>
      findPublicEvent(ctx, { id: parseEitherId(id, 'public_event') }, Selection.answer(info).columns()),
  }),
  publicEventBySlug: t.field({
    type: PublicEvent,
    nullable: true,
    description: 'A public event by its slug or a former slug; null if there is none. Needs no token.',
    args: { slug: t.arg.string({ required: true, description: 'The slug, or a former one.' }) },
    extensions: { read: 'publicEvent', cost: 1, access: 'public' },
    resolve: (_root, { slug }, ctx, info) => findPublicEvent(ctx, { slug }, Selection.answer(info).columns()),
  }),
  publicEvents: t.field({
    ...publicEventPages,
    description:
      'The public events of the organization that are active or cancelled, ordered by start. Needs no token.',
    extensions: { read: 'publicEvents', cost: pageOfNodes, access: 'public' },
    resolve: (_root, args, ctx, info) => ownConnection(info, args, ctx, publicEvents),
  }),
}));
