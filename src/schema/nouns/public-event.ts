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
import { fault } from '../../kernel/errors.ts';
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
    description: 'A public event by its id, its slug or a former slug; null if there is none. Needs no token.',
    args: {
      id: t.arg.id({ description: 'The global id or the `databaseId`.' }),
      slug: t.arg.string({ description: 'The slug, instead of the id.' }),
    },
    extensions: { read: 'publicEvent', cost: oneNode, access: 'public' },
    resolve: (_root, { id = null, slug = null }, ctx, info) => {
      if ((id === null) === (slug === null)) throw fault('INVALID_QUERY', '/id', 'Give either `id` or `slug`.');
      const name = id === null ? { slug } : { id: parseEitherId(id, 'public_event') };
      return findPublicEvent(ctx, name, Selection.answer(info).columns());
    },
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
