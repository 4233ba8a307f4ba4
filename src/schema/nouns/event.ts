import { type EventRow, eventResource } from '../../domain/event/event.resource.ts';
import { countEvents, eventLoader, listEvents } from '../../domain/event/event.ts';
import { withMembership } from '../../engine/context.ts';
import type { EventPhase as Phase } from '../../engine/list/condition.ts';
import { builder, type Types } from '../builder.ts';
import { answerColumns, Selection } from '../execution/selection.ts';
import {
  Connection,
  connectionType,
  itemReads,
  itemSelections,
  needsPage,
  pageArguments,
} from '../relay/connection.ts';
import { parseEitherId } from '../relay/global-id.ts';
import { listArguments } from '../relay/list-arguments.ts';
import { resourceFields } from '../relay/node-fields.ts';
import { defineNode } from '../relay/node-types.ts';
import { whereInput } from '../relay/where.ts';
import { oneNode, pageOfNodes } from '../server/cost.ts';
import { EventPhase } from './enums.ts';
import { nestedSubscriptions } from './subscription.ts';

export const Event = builder.objectRef<EventRow>('Event');

defineNode('Event', { organizational: true, loader: (ctx, selection) => eventLoader(ctx, selection.columns()) });

Event.implement({
  description: 'An event, which an organization runs and people subscribe to.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...resourceFields(t, 'Event', eventResource),
    phase: t.field({
      type: EventPhase,
      nullable: true,
      description: 'The phase of the event at the time of the request; null if it is not active.',
      extensions: { columns: ['status', 'date_start', 'date_end'] },
      resolve: (event, _args, ctx) => phaseOf(event, ctx.now),
    }),
  }),
});

/** The derived views of the contract; the same comparisons as in the filter's SQL. */
function phaseOf(event: EventRow, now: Date): Phase | null {
  if (event.status !== 1) return null;
  const moment = now.toISOString();
  if (event.date_start > moment) return 'UPCOMING';
  return event.date_end < moment ? 'CONCLUDED' : 'IN_PROGRESS';
}

export const EventConnection = connectionType(Event, 'events');
const EventWhere = whereInput('EventWhere', eventResource);

const EventOrderField = builder.enumType('EventOrderField', {
  description: 'The fields that events can be ordered by; the id breaks ties.',
  values: {
    DATE_START: { value: 'date_start', description: 'When the event starts.' },
    CREATED_AT: { value: 'created_at', description: 'When the event was created.' },
  },
});

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of an order.',
  values: {
    ASC: { value: 1, description: 'Smallest or earliest first.' },
    DESC: { value: -1, description: 'Greatest or latest first.' },
  },
});

const EventOrder = builder.inputType('EventOrder', {
  description: 'An order of events; `DATE_START ASC` by default, the same as REST `sort=1`.',
  fields: (t) => ({
    field: t.field({ type: EventOrderField, description: 'The field to order by; `DATE_START` if absent.' }),
    direction: t.field({ type: OrderDirection, description: 'The direction; `ASC` if absent.' }),
  }),
});

builder.queryFields((t) => ({
  event: t.field({
    type: Event,
    nullable: true,
    description: 'An event; null if the id is unknown, malformed, or not visible to the viewer.',
    args: { id: t.arg.id({ required: true, description: 'The global id or the `databaseId`.' }) },
    extensions: { cost: oneNode, access: () => 'organization' },
    resolve: (_root, args, ctx, info) => {
      const id = parseEitherId(args.id, 'event');
      if (!id) return null;
      const selection = Selection.answer(info);
      return eventLoader(ctx, selection.columns(), nestedSubscriptions(info, [selection])).load(id);
    },
  }),
  events: t.field({
    type: EventConnection,
    description: "The organization's events that the viewer may see.",
    args: {
      where: t.arg({ type: EventWhere, description: 'Only events that match this filter.' }),
      orderBy: t.arg({ type: EventOrder, description: 'The order of the list; `DATE_START ASC` if absent.' }),
      ...pageArguments,
    },
    extensions: { cost: pageOfNodes, access: () => 'organization' },
    resolve: async (_root, args, ctx, info) => {
      const member = withMembership(ctx);
      const { where, paging } = listArguments(eventResource, args, args.orderBy?.direction === -1 ? -1 : 1);
      const order = args.orderBy?.field ?? 'date_start';
      const selection = Selection.answer(info);
      const page = needsPage(selection, args)
        ? await listEvents(member, {
            where,
            order,
            paging,
            ...itemReads(selection),
            subscriptions: nestedSubscriptions(info, itemSelections(selection)),
          })
        : null;
      return new Connection(page, (max) => countEvents(member, where, max));
    },
  }),
}));

/** The event of a payload that names it. */
export function eventField<Payload extends { event_id: string }>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Payload>,
  description: string,
) {
  return t.field({
    type: Event,
    description,
    extensions: { cost: oneNode },
    resolve: ({ event_id: id }, _args, ctx, info) =>
      eventLoader(ctx, answerColumns(ctx, info)).load(id) as Promise<EventRow>,
  });
}
