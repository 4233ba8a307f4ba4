import type { EventRow } from '../domain/event/event.resource.ts';
import { type SubscriptionRow, subscriptionResource } from '../domain/subscription/subscription.resource.ts';
import { builder, type FieldExtensions, type Types } from './builder.ts';
import {
  Connection,
  connectionType,
  itemJson,
  itemReads,
  itemSelections,
  needsPage,
  pageArguments,
} from './connection.ts';
import { oneNode, pageOfNodes } from './cost.ts';
import { EventSubscriptionStatus } from './enums.ts';
import { Event } from './event.ts';
import { listArguments } from './list-arguments.ts';
import { writtenSubscriptions } from './nested-subscriptions.ts';
import { column, nodeFields } from './node-fields.ts';
import { answerColumns, planOnce, Selection } from './selection.ts';
import { User, userColumns } from './user.ts';
import { whereInput } from './where.ts';
import type { CompiledInfo } from './writer.ts';

export const EventSubscription = builder.objectRef<SubscriptionRow>('EventSubscription');

EventSubscription.implement({
  description: "One person's place at one event.",
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...nodeFields(t, 'EventSubscription'),
    eventId: t.exposeID('event_id', {
      description: 'The `databaseId` of the event.',
      extensions: { columns: ['event_id'] },
    }),
    userId: t.exposeID('user_id', {
      description: 'The `databaseId` of the user.',
      extensions: { columns: ['user_id'] },
    }),
    status: t.expose('status', { ...column(subscriptionResource, 'status'), type: EventSubscriptionStatus }),
    answers: t.expose('answers', { ...column(subscriptionResource, 'answers'), type: 'JSON', nullable: true }),
    checkedInAt: t.expose('checked_in_at', {
      ...column(subscriptionResource, 'checked_in_at'),
      type: 'DateTime',
      nullable: true,
    }),
    createdAt: t.expose('created_at', { ...column(subscriptionResource, 'created_at'), type: 'DateTime' }),
    updatedAt: t.expose('updated_at', { ...column(subscriptionResource, 'updated_at'), type: 'DateTime' }),
    event: t.field({
      type: Event,
      description: 'The event that is subscribed to.',
      extensions: { columns: ['event_id'], cost: oneNode },
      resolve: (row, _args, ctx, info) =>
        ctx.loaders.event(answerColumns(ctx, info)).load(row.event_id) as Promise<EventRow>,
    }),
    user: t.field({
      type: User,
      description: 'The user who subscribed.',
      extensions: { columns: ['user_id'], cost: oneNode, json: 'user' } satisfies FieldExtensions,
      resolve: (row, _args, ctx, info) => {
        const loader = planOnce(ctx, info, () => ctx.loaders.user(userColumns(Selection.answer(info))));
        return loader.find(row.user_id) as never;
      },
    }),
  }),
});

const EventSubscriptionConnection = connectionType(EventSubscription, 'subscriptions');
const EventSubscriptionWhere = whereInput('EventSubscriptionWhere', subscriptionResource);

/** What an event has of subscriptions. Both read those of all the events of a page at once. */
export function subscriptionFields(t: PothosSchemaTypes.ObjectFieldBuilder<Types, EventRow>) {
  return {
    subscriptions: t.field({
      type: EventSubscriptionConnection,
      description: 'The subscriptions to the event that the viewer may see, oldest first.',
      args: {
        where: t.arg({ type: EventSubscriptionWhere, description: 'Only subscriptions for which this holds.' }),
        ...pageArguments,
      },
      extensions: { cost: pageOfNodes },
      resolve: (event, args, ctx, info) => {
        const written = writtenSubscriptions(event, info as CompiledInfo);
        if (written) return written as never;
        const { pages, counts } = planOnce(ctx, info, () => {
          const { where, paging } = listArguments(subscriptionResource, args, 1);
          const selection = Selection.answer(info);
          const input = {
            where,
            paging,
            userColumns: joinedColumns(selection),
            json: (info as CompiledInfo).selection ? itemJson(selection) : null,
            ...itemReads(selection),
          };
          return {
            pages: needsPage(selection, args) ? ctx.loaders.subscriptionPage(input) : null,
            counts: (max?: number) => ctx.loaders.subscriptionCount(where, max),
          };
        });
        const count = async (max?: number) => (await counts(max).load(event.id)) ?? { value: 0, exact: true };
        return pages
          ? pages.load(event.id).then((page) => new Connection(page, count))
          : new Connection<SubscriptionRow>(null, count);
      },
    }),
    viewerSubscription: t.field({
      type: EventSubscription,
      nullable: true,
      description: "The viewer's own newest subscription to the event; null where there is none.",
      extensions: { cost: oneNode },
      resolve: (event, _args, ctx, info) => ctx.loaders.viewerSubscription(answerColumns(ctx, info)).load(event.id),
    }),
  };
}

/** The users of a page come in its own statement, unless `nodes` and `edges` ask for different ones. */
function joinedColumns(selection: Selection): string[] | undefined {
  const users = itemSelections(selection).flatMap((each) => each.below('user') ?? []);
  const [columns, ...others] = users.map(userColumns);
  return others.every((each) => each.join() === columns?.join()) ? columns : undefined;
}
