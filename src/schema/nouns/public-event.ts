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
import { ending } from '../builder/ending.ts';
import { Selection } from '../builder/selection.ts';
import { connectionType } from '../relay/connection.ts';
import { oneNode, pageOfNodes } from '../relay/field-costs.ts';
import { parseEitherId } from '../relay/global-id.ts';
import { pageArguments } from '../relay/list-arguments.ts';
import { resourceFields } from '../relay/node-fields.ts';
import { defineNode } from '../relay/node-types.ts';
import { ownConnection } from '../relay/own-connection.ts';
import { whereInput } from '../relay/where.ts';
import { EventFormRef } from './event-form.ts';

const PublicEvent = builder.objectRef<PublicEventRow>('PublicEvent');

defineNode('PublicEvent', {
  organizational: true,
  public: true,
  loader: (ctx, selection) => publicEventLoader(ctx, selection.columns()),
});

PublicEvent.implement({
  description: 'A public event, as anyone can see it without a token.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...resourceFields(t, 'PublicEvent', publicEventResource),
    form: t.field({
      ...ending('publicEventForm'),
      type: EventFormRef,
      description: 'The current form of the event.',
      extensions: { cost: oneNode },
      resolve: (event, _args, ctx) => publicFormLoader(ctx).load(event.id) as Promise<Form>,
    }),
  }),
});

const PublicEventConnection = connectionType(PublicEvent, 'public events');
const publicEvents = { list: listPublicEvents, count: countPublicEvents };
const PublicEventWhere = whereInput('PublicEventWhere', publicEventResource);

builder.queryFields((t) => ({
  publicEvent: t.field({
    ...ending('publicEvent'),
    type: PublicEvent,
    nullable: true,
    description: 'A public event by its id, its slug or a former slug; null if there is none. Needs no token.',
    args: {
      id: t.arg.id({ description: 'The global id or the `databaseId`.' }),
      slug: t.arg.string({ description: 'The slug, instead of the id.' }),
    },
    extensions: { cost: oneNode, access: 'public' },
    resolve: (_root, { id = null, slug = null }, ctx, info) => {
      if ((id === null) === (slug === null)) throw fault('INVALID_QUERY', '/id', 'Give either `id` or `slug`.');
      const name = id === null ? { slug } : { id: parseEitherId(id, 'public_event') };
      return findPublicEvent(ctx, name, Selection.answer(info).columns());
    },
  }),
  publicEvents: t.field({
    ...ending('publicEvents'),
    type: PublicEventConnection,
    description:
      'The public events of the organization that are active or cancelled, ordered by start. Needs no token.',
    args: {
      where: t.arg({ type: PublicEventWhere, description: 'Only events that match this filter.' }),
      ...pageArguments,
    },
    extensions: { cost: pageOfNodes, access: 'public' },
    resolve: (_root, args, ctx, info) => ownConnection(info, publicEventResource, args, ctx, publicEvents),
  }),
}));
