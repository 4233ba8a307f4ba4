import { type EventRow, eventResource } from '../domain/event/event.resource.ts';
import { countEvents, listEvents } from '../domain/event/event.ts';
import type { EventPhase as Phase } from '../domain/list/condition.ts';
import { memberContext } from './access.ts';
import { builder } from './builder.ts';
import { Connection, connectionType, itemReads, needsPage, pageArguments, separateItems } from './connection.ts';
import { oneNode, pageOfNodes } from './cost.ts';
import { EventPhase, EventRegistration, EventStatus, EventVisibility } from './enums.ts';
import { parseEitherId } from './global-id.ts';
import { listArguments } from './list-arguments.ts';
import { subscriptionsAlong } from './nested-subscriptions.ts';
import { column, nodeFields } from './node-fields.ts';
import { Selection } from './selection.ts';
import { subscriptionFields } from './subscription.ts';
import { whereInput } from './where.ts';

export const Event = builder.objectRef<EventRow>('Event');

Event.implement({
  description: 'What an organization runs and people subscribe to.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...nodeFields(t, 'Event'),
    name: t.exposeString('name', column(eventResource, 'name')),
    slug: t.exposeString('slug', column(eventResource, 'slug')),
    description: t.exposeString('description', { ...column(eventResource, 'description'), nullable: true }),
    status: t.expose('status', { ...column(eventResource, 'status'), type: EventStatus }),
    dateStart: t.expose('date_start', { ...column(eventResource, 'date_start'), type: 'DateTime' }),
    dateEnd: t.expose('date_end', { ...column(eventResource, 'date_end'), type: 'DateTime' }),
    timezone: t.exposeString('timezone', column(eventResource, 'timezone')),
    location: t.exposeString('location', { ...column(eventResource, 'location'), nullable: true }),
    capacity: t.exposeInt('capacity', { ...column(eventResource, 'capacity'), nullable: true }),
    visibility: t.expose('visibility', { ...column(eventResource, 'visibility'), type: EventVisibility }),
    registration: t.expose('registration', { ...column(eventResource, 'registration'), type: EventRegistration }),
    acceptedCount: t.exposeInt('accepted_count', column(eventResource, 'accepted_count')),
    createdAt: t.expose('created_at', { ...column(eventResource, 'created_at'), type: 'DateTime' }),
    updatedAt: t.expose('updated_at', { ...column(eventResource, 'updated_at'), type: 'DateTime' }),
    phase: t.field({
      type: EventPhase,
      nullable: true,
      description: 'Where the event stands at the moment of the request; null where it is not active.',
      extensions: { columns: ['status', 'date_start', 'date_end'] },
      resolve: (event, _args, ctx) => phaseOf(event, ctx.now),
    }),
    ...subscriptionFields(t),
  }),
});

/** The derived views of the contract; the same comparisons as in the filter's SQL. */
function phaseOf(event: EventRow, now: Date): Phase | null {
  if (event.status !== 1) return null;
  const moment = now.toISOString();
  if (event.date_start > moment) return 'UPCOMING';
  return event.date_end < moment ? 'CONCLUDED' : 'IN_PROGRESS';
}

const EventConnection = connectionType(Event, 'events');
const EventWhere = whereInput('EventWhere', eventResource);

const EventOrderField = builder.enumType('EventOrderField', {
  description: 'What events can be ordered by; the id breaks ties.',
  values: {
    DATE_START: { value: 'date_start', description: 'When the event starts.' },
    CREATED_AT: { value: 'created_at', description: 'When the event was created.' },
  },
});

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Which end of an order comes first.',
  values: {
    ASC: { value: 1, description: 'The least or earliest.' },
    DESC: { value: -1, description: 'The greatest or latest.' },
  },
});

const EventOrder = builder.inputType('EventOrder', {
  description: 'An order of events; `DATE_START ASC` where nothing is said, as REST `sort=1`.',
  fields: (t) => ({
    field: t.field({ type: EventOrderField, description: 'By what; `DATE_START` where absent.' }),
    direction: t.field({ type: OrderDirection, description: 'From which end; `ASC` where absent.' }),
  }),
});

builder.queryFields((t) => ({
  event: t.field({
    type: Event,
    nullable: true,
    description: 'One event; null for what is unknown, foreign, malformed or not for the viewer.',
    args: { id: t.arg.id({ required: true, description: 'The global id or the `databaseId`.' }) },
    extensions: { cost: oneNode, access: () => 'organization' },
    resolve: (_root, args, ctx, info) => {
      const id = parseEitherId(args.id, 'Event');
      if (!id) return null;
      const selection = Selection.answer(info);
      return ctx.loaders.event(selection.columns(), subscriptionsAlong(info, selection)).load(id);
    },
  }),
  events: t.field({
    type: EventConnection,
    description: "The organization's events that the viewer may see.",
    args: {
      where: t.arg({ type: EventWhere, description: 'Only events for which this holds.' }),
      orderBy: t.arg({ type: EventOrder, description: '`DATE_START ASC` where absent.' }),
      ...pageArguments,
    },
    extensions: { cost: pageOfNodes, access: () => 'organization' },
    resolve: async (_root, args, ctx, info) => {
      const member = memberContext(ctx);
      const { where, paging } = listArguments(eventResource, args, args.orderBy?.direction === -1 ? -1 : 1);
      const order = args.orderBy?.field ?? 'date_start';
      const selection = Selection.answer(info);
      const items = separateItems(selection);
      const page = needsPage(selection, args)
        ? await listEvents(member, {
            where,
            order,
            paging,
            ...itemReads(selection),
            subscriptions: subscriptionsAlong(info, items?.length === 1 ? items[0] : null),
          })
        : null;
      return new Connection(page, (max) => countEvents(member, where, max));
    },
  }),
}));
