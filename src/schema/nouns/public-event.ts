import { Selection } from '#compiled-graphql';
import type { Form } from '../../domain/event/event-form.ts';
import { type PublicEventRow, publicEventResource } from '../../domain/public/public-event.resource.ts';
import {
  countPublicEvents,
  findPublicEvent,
  listPublicEvents,
  publicEventLoader,
  publicFormLoader,
} from '../../domain/public/public-events.ts';
import { builder } from '../builder/builder.ts';
import { parseEitherId } from '../builder/global-id.ts';
import { connectionType } from '../relay/connection.ts';
import { oneNode, pageOfNodes } from '../relay/field-costs.ts';
import { filteredPage } from '../relay/list-arguments.ts';
import { ownConnection } from '../relay/own-connection.ts';
import { resourceNode } from '../relay/resource-node.ts';
import { EventFormRef } from './event-form.ts';

const PublicEvent = resourceNode<PublicEventRow>('PublicEvent', {
  description: 'A public event, as anyone can see it without a token.',
  resource: publicEventResource,
  loader: publicEventLoader,
  public: true,
  fields: (t) => ({
    placesLeft: t.int({
      nullable: true,
      description: 'How many more subscriptions can be accepted; null without a capacity.',
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
      extensions: { read: 'publicEventForm', cost: oneNode },
      resolve: (event, _args, ctx) => publicFormLoader(ctx).load(event.id) as Promise<Form>,
    }),
  }),
});

const PublicEventConnection = connectionType(PublicEvent, 'public events');
const publicEvents = { list: listPublicEvents, count: countPublicEvents };
const publicEventArguments = filteredPage('PublicEventWhere', publicEventResource, 'events');

builder.queryFields((t) => ({
  publicEvent: t.field({
    type: PublicEvent,
    nullable: true,
    description: 'A public event by its id; null if there is none. Needs no token.',
    args: { id: t.arg.id({ required: true, description: 'The global id or the `databaseId`.' }) },
    extensions: { read: 'publicEvent', cost: oneNode, access: 'public' },
    resolve: (_root, { id }, ctx, info) =>
      findPublicEvent(ctx, { id: parseEitherId(id, 'public_event') }, Selection.answer(info).columns()),
  }),
  publicEventBySlug: t.field({
    type: PublicEvent,
    nullable: true,
    description: 'A public event by its slug or a former slug; null if there is none. Needs no token.',
    args: { slug: t.arg.string({ required: true, description: 'The slug, or a former one.' }) },
    extensions: { read: 'publicEvent', cost: oneNode, access: 'public' },
    resolve: (_root, { slug }, ctx, info) => findPublicEvent(ctx, { slug }, Selection.answer(info).columns()),
  }),
  publicEvents: t.field({
    type: PublicEventConnection,
    description:
      'The public events of the organization that are active or cancelled, ordered by start. Needs no token.',
    args: publicEventArguments,
    extensions: { read: 'publicEvents', cost: pageOfNodes, access: 'public' },
    resolve: (_root, args, ctx, info) => ownConnection(info, publicEventResource, args, ctx, publicEvents),
  }),
}));
