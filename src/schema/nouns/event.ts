import type { GraphQLResolveInfo } from 'graphql';
import { planOnce, Selection } from '#compiled-graphql';
import { createEvent } from '../../domain/event/create-event.ts';
import { deleteEvent } from '../../domain/event/delete-event.ts';
import { duplicateEvent } from '../../domain/event/duplicate-event.ts';
import { type ComputedFields, type EventRow, eventResource } from '../../domain/event/event.resource.ts';
import { countEvents, eventLoader, findEvent, listEvents } from '../../domain/event/event.ts';
import { availabilities, eventPhases, phaseOf, placesLeft } from '../../domain/event/event-moment.ts';
import { updateEvent } from '../../domain/event/update-event.ts';
import { eventPermissionsLoader } from '../../domain/subscription/permissions.ts';
import type { SubscriptionRow } from '../../domain/subscription/subscription.resource.ts';
import { type Context, withMembership } from '../../engine/context.ts';
import { builder, type ObjectFields } from '../builder/builder.ts';
import { enumOf } from '../builder/enum-of.ts';
import { parseEitherId } from '../builder/global-id.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { Connection, itemPlaces, itemReads, needsPage, newEdge, ownEdge } from '../relay/connection.ts';
import { type ListArguments, listArguments, pageOfNodes } from '../relay/list-arguments.ts';
import { pagesOf } from '../relay/own-connection.ts';
import { namedRow, removedId, resourceNode, rowField } from '../relay/resource-node.ts';
import { valueEnum, wordEnum } from './enums.ts';
import { EventFieldsRef, placesLeftField } from './event-fields.ts';
import { subscriptionsWithEvents } from './nested-subscriptions.ts';
import { listOfOrganization } from './organization-list.ts';
import { permissionsType } from './permission.ts';
import { planSubscriptions, subscriptionPages } from './subscription.ts';

const EventPermissionsRef = permissionsType('EventPermissions', 'What the viewer can do with an event now.', {
  subscribe: "Subscribe themselves, with correct answers to the event's form.",
  update: 'Change the event.',
  cancel: 'Change its status to cancelled.',
  delete: 'Delete the event.',
});

export const EventRef = resourceNode<EventRow>('Event', {
  description: 'An event of an organization, which people subscribe to.',
  resource: eventResource,
  interfaces: [EventFieldsRef],
  loader: (ctx, columns) => eventLoader(ctx, columns),
  fields: (t) => ({
    phase: t.field({
      type: enumOf(eventPhases),
      nullable: true,
      description: 'The phase of the event at the time of the request; null if it is not active.',
      extensions: { columns: ['status', 'date_start', 'date_end'] },
      resolve: (event, _args, ctx) => phaseOf(event, ctx.now),
    }),
    availability: t.field({
      type: enumOf(availabilities),
      description: 'What would happen to a new subscription of the viewer now.',
      extensions: { columns: ['availability'] },
      // a row that a mutation returns was not read with it
      resolve: (event, _args, ctx) => event.availability ?? readComputed(ctx, event.id, 'availability'),
    }),
    placesLeft: t.int({
      ...placesLeftField,
      extensions: { columns: ['capacity', 'accepted_count'] },
      resolve: placesLeft,
    }),
    url: t.string({
      nullable: true,
      description:
        'The address of its public page; null while it has none: unless it is public, and active or cancelled.',
      extensions: { columns: ['url'] },
      resolve: (event, _args, ctx) => (event.url === undefined ? readComputed(ctx, event.id, 'url') : event.url),
    }),
    viewerCan: t.field({
      type: EventPermissionsRef,
      description: 'What the viewer can do with the event now.',
      extensions: { cost: 1 },
      resolve: (event, _args, ctx) => eventPermissionsLoader(ctx).load(event.id),
    }),
    // read in one statement for all events of a page
    subscriptions: t.field({
      ...subscriptionPages,
      description: 'The subscriptions to the event that the viewer may see, oldest first.',
      extensions: { read: 'subscriptions', cost: pageOfNodes },
      resolve: (event, args, ctx, info) => {
        const { pages, counts } = planOnce(ctx, info, () => planSubscriptions(ctx, args, Selection.answer(info)));
        const count = async (max?: number) => (await counts(max).load(event.id)) ?? { value: 0, exact: true };
        const page = pages?.find(event.id) ?? null;
        return page instanceof Promise
          ? page.then((loaded) => new Connection(loaded, count))
          : new Connection<SubscriptionRow>(page, count);
      },
    }),
  }),
});

export function eventField<Row extends { event_id: string }>(t: ObjectFields<Row>, description: string) {
  return namedRow(t, EventRef, { by: 'event_id', loader: eventLoader, description });
}

async function readComputed<Name extends keyof ComputedFields>(
  ctx: Context,
  id: string,
  name: Name,
): Promise<NonNullable<ComputedFields[Name]>> {
  const event = await eventLoader(ctx, [name]).load(id);
  return event?.[name] as NonNullable<ComputedFields[Name]>;
}

const eventPages = pagesOf(EventRef, eventResource, 'events');

const EventOrderField = wordEnum(
  'EventOrderField',
  'The fields that events can be ordered by; the id breaks ties.',
  ['date_start', 'created_at'],
  { date_start: 'When the event starts.', created_at: 'When the event was created.' },
);

const OrderDirection = valueEnum(
  'OrderDirection',
  'The direction of an order.',
  { ASC: 1, DESC: -1 },
  { ASC: 'Smallest or earliest first.', DESC: 'Greatest or latest first.' },
);

const EventOrder = builder.inputType('EventOrder', {
  description: "An order of events; by default `DATE_START ASC`, which is REST's `sort=1`.",
  fields: (t) => ({
    field: t.field({ type: EventOrderField, description: 'The field to order by; `DATE_START` if absent.' }),
    direction: t.field({ type: OrderDirection, description: 'The direction; `ASC` if absent.' }),
  }),
});

const orderArgument = builder.args((t) => ({
  orderBy: t.field({ type: EventOrder, description: 'The order of the list; `DATE_START ASC` if absent.' }),
}));

builder.queryFields((t) => ({
  event: t.field({
    type: EventRef,
    nullable: true,
    description: 'An event; null if the id is unknown, malformed, or not visible to the viewer.',
    args: { id: t.arg.id({ required: true, description: 'The global id or the `databaseId`.' }) },
    extensions: { read: 'event', cost: 1, access: 'organization' },
    resolve: (_root, args, ctx, info) => {
      const id = parseEitherId(args.id, 'event');
      if (!id) return null;
      const selection = Selection.answer(info);
      return eventLoader(
        ctx,
        selection.columns(),
        subscriptionsWithEvents(withMembership(ctx), info, [selection]),
      ).load(id);
    },
  }),
  eventBySlug: t.field({
    type: EventRef,
    nullable: true,
    description: 'An event by its slug or a former slug; null if there is none that the viewer may see.',
    args: { slug: t.arg.string({ required: true, description: 'The slug, or a former one.' }) },
    extensions: { read: 'event', cost: 1, access: 'organization' },
    resolve: (_root, { slug }, ctx, info) => findEvent(withMembership(ctx), { slug }, Selection.answer(info).columns()),
  }),
}));

listOfOrganization(
  'events',
  { ...eventPages, args: { ...eventPages.args, ...orderArgument } },
  { description: 'The events that the viewer may see.', ofRoot: "The organization's events that the viewer may see." },
  eventConnection,
);

type EventArguments = ListArguments & {
  orderBy?: { field?: string | null; direction?: string | number | null } | null;
};

async function eventConnection(_: unknown, args: EventArguments, context: Context, info: GraphQLResolveInfo) {
  const ctx = withMembership(context);
  const { where, paging } = listArguments(eventResource, args, args.orderBy?.direction === -1 ? -1 : 1);
  const order = args.orderBy?.field ?? 'date_start';
  const selection = Selection.answer(info);
  const nested = subscriptionsWithEvents(ctx, info, itemPlaces(selection));
  const page = needsPage(selection, args)
    ? await listEvents(ctx, { where, order, paging, ...itemReads(selection), nested })
    : null;
  return new Connection(page, (max) => countEvents(ctx, where, max));
}

const payloadField = (t: ObjectFields<EventRow>) => rowField(t, EventRef, 'The event after the mutation.');
const edgeField = (t: ObjectFields<EventRow>) =>
  newEdge(
    t,
    eventPages.type,
    'The new event, as an edge of the list of all events by `DATE_START`.',
    ownEdge(eventResource),
  );

commandMutation(createEvent, (t) => ({ event: payloadField(t), eventEdge: edgeField(t) }));
commandMutation(updateEvent, (t) => ({ event: payloadField(t) }));
commandMutation(deleteEvent, (t) => ({
  deletedEventId: removedId(t, 'Event', 'The global id of the deleted event.'),
}));
commandMutation(duplicateEvent, (t) => ({ event: payloadField(t), eventEdge: edgeField(t) }), {
  description:
    'Creates a draft as a copy of an event; the fields of the input replace those of the original. For managers and owners.',
});
