import type { InputShapeFromFields } from '@pothos/core';
import { answerColumns } from '#compiled-graphql';
import { type ChangeRow, changeKinds, changeOps } from '../../domain/change/change.table.ts';
import type { StreamMessage } from '../../domain/change/change-stream.ts';
import {
  type ChangesInput,
  changeBeginnings,
  listChanges,
  type SealedChanges,
  sortedKinds,
} from '../../domain/change/changes.ts';
import { eventLoader } from '../../domain/event/event.ts';
import { formLoader } from '../../domain/event/event-form.ts';
import { subscriptionLoader } from '../../domain/subscription/subscription.ts';
import { withMembership } from '../../engine/context.ts';
import { faults, type Issue } from '../../kernel/errors.ts';
import { builder } from '../builder/builder.ts';
import { enumOf } from '../builder/enum-of.ts';
import { globalId, nodeTypeOf } from '../builder/global-id.ts';
import { pageOfNodes, pageSize } from '../relay/list-arguments.ts';
import { EventRef } from './event.ts';
import { EventFormRef, formNode } from './event-form.ts';
import { EventSubscriptionRef } from './subscription.ts';
import { actorField } from './user.ts';

const Change = builder.objectRef<ChangeRow>('Change');

Change.implement({
  description: 'A change of an event, a form or a subscription, as the viewer sees it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the change, a UUIDv7; the same in REST.' }),
    kind: t.expose('kind', { type: enumOf(changeKinds), description: 'What changed.' }),
    op: t.expose('op', { type: enumOf(changeOps), description: 'What happened to it.' }),
    objectDatabaseId: t.exposeID('object_id', {
      nullable: true,
      description: 'The `databaseId` of the event, also for its form, or of the subscription; null for `REFETCH`.',
    }),
    eventDatabaseId: t.exposeID('event_id', {
      nullable: true,
      description: 'The `databaseId` of the event; null for `REFETCH`.',
    }),
    version: t.exposeInt('version', {
      nullable: true,
      description: 'The version of the event or form after the change; null for subscriptions, and for what is gone.',
    }),
    actorDatabaseId: t.exposeID('actor_id', {
      nullable: true,
      description: 'The `databaseId` of the user who did it; null if nobody did, as when the waiting list moves.',
    }),
    actor: actorField(t),
    occurredAt: t.expose('occurred_at', {
      type: 'DateTime',
      description: 'When it happened. Use the order of the log, not this, to sort.',
    }),
    objectGlobalId: t.id({
      nullable: true,
      description: 'The global id of the event, form or subscription, also after its deletion; null for `REFETCH`.',
      resolve: ({ kind, object_id: id }) => id && globalId(nodeTypeOf(kind), id),
    }),
    object: t.node({
      description: 'The event, also for its form, or the subscription as it is now; null if it is gone or hidden.',
      extensions: { cost: 1 },
      id: ({ kind, object_id: id }) => id && { type: kind === 'subscription' ? EventSubscriptionRef : EventRef, id },
    }),
    event: t.field({
      type: EventRef,
      nullable: true,
      description: 'The event as it is now, if `kind` is `EVENT`; null if it is gone or hidden.',
      extensions: { cost: 1 },
      resolve: ({ kind, object_id: id }, _args, ctx, info) =>
        kind === 'event' && id ? eventLoader(ctx, answerColumns(ctx, info)).load(id) : null,
    }),
    subscription: t.field({
      type: EventSubscriptionRef,
      nullable: true,
      description: 'The subscription as it is now, if `kind` is `SUBSCRIPTION`; null if it is gone or hidden.',
      extensions: { cost: 1 },
      resolve: ({ kind, object_id: id }, _args, ctx, info) =>
        kind === 'subscription' && id ? subscriptionLoader(ctx, answerColumns(ctx, info)).load(id) : null,
    }),
    form: t.field({
      type: EventFormRef,
      nullable: true,
      description: 'The form as it is now, if `kind` is `FORM`; null if its event is gone or hidden.',
      extensions: { cost: 1 },
      resolve: async ({ kind, object_id: id }, _args, ctx) =>
        kind === 'form' && id ? formNode(id, await formLoader(ctx, null).load(id)) : null,
    }),
  }),
});

type Item = SealedChanges['items'][number];

const ChangeEdge = builder.objectRef<Item>('ChangeEdge').implement({
  description: 'A change, with the cursor to read on from.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: "The place after this change, for `after` and REST's `token`." }),
    node: t.expose('change', { type: Change, description: 'The change.' }),
  }),
});

const ChangeConnection = builder.objectRef<SealedChanges>('ChangeConnection').implement({
  description: 'Changes, oldest first.',
  fields: (t) => ({
    edges: t.expose('items', { type: [ChangeEdge], description: 'The changes, each with its cursor.' }),
    nodes: t.field({
      type: [Change],
      description: 'The changes.',
      resolve: (page) => page.items.map(({ change }) => change),
    }),
    pageInfo: t.field({
      type: builder.pageInfoRef(),
      description:
        '`endCursor` is never null: it continues with the next changes, even if there are none yet. `hasPreviousPage` is always false.',
      resolve: ({ items: [first], next, hasMore }) => ({
        startCursor: first?.cursor ?? null,
        endCursor: next,
        hasNextPage: hasMore,
        hasPreviousPage: false,
      }),
    }),
  }),
});

const placeArguments = builder.args((t) => ({
  after: t.string({ description: 'Only changes after this cursor. An empty string counts as absent.' }),
  since: t.field({ type: enumOf(changeBeginnings), description: 'Where to begin without `after`; `START` if absent.' }),
  kinds: t.field({ type: [enumOf(changeKinds)], description: 'Only changes of these kinds.' }),
}));

type ChangeArguments = InputShapeFromFields<typeof placeArguments> & { first?: number | null | undefined };

/** @throws DomainError INVALID_QUERY */
export function changesInput({ after, first = null, since = null, kinds = null }: ChangeArguments): ChangesInput {
  const issues: Issue[] = [];
  const refuse = (pointer: string, detail: string) => issues.push({ pointer, code: 'INVALID_QUERY', detail });
  if (first !== null && first < 0) refuse('/first', '`first` must not be negative.');
  if (after && since !== null) refuse('/since', '`since` and `after` exclude each other.');
  if (kinds?.length === 0) refuse('/kinds', 'Name at least one kind.');
  if (issues.length > 0) throw faults('INVALID_QUERY', issues);
  return {
    token: after || null,
    pointer: '/after',
    since: since ?? 'start',
    kinds: sortedKinds(kinds ?? changeKinds),
    size: pageSize({ first }),
  };
}

builder.queryField('changes', (t) =>
  t.field({
    type: ChangeConnection,
    description:
      'The changes in the organization, oldest first, as the viewer sees them. Continue from `endCursor`, now or later: no change is lost.',
    args: {
      ...placeArguments,
      first: t.arg.int({
        description: 'The number of changes to return; more than 50 counts as 50, which is the default.',
      }),
    },
    extensions: { read: 'changes', cost: pageOfNodes, access: 'organization' },
    resolve: (_root, args, ctx) => listChanges(withMembership(ctx), changesInput(args)),
  }),
);

const ChangePayload = builder.objectRef<StreamMessage>('ChangePayload').implement({
  description: 'One payload of the stream of changes.',
  fields: (t) => ({
    cursor: t.string({
      description: "The place to go on from, for `after` and REST's `token`.",
      resolve: (message) => (message as { cursor: string }).cursor,
    }),
    change: t.field({
      type: Change,
      nullable: true,
      description: 'The change; null in the payload that says that nothing is left for now.',
      resolve: (message) => (message.type === 'change' ? message.change : null),
    }),
  }),
});

builder.subscriptionField('changes', (t) =>
  t.field({
    type: ChangePayload,
    description:
      'The same as the query `changes`, without end: first the changes after `after` or `since`, then new ones. It ends after a quarter of an hour at the latest; continue from the last cursor.',
    args: placeArguments,
    extensions: { cost: 1, access: 'organization' },
    subscribe: async (_root, args, ctx) =>
      shown(await ctx.services.changeStreams.follow(withMembership(ctx), changesInput(args))),
    resolve: (message) => {
      if (message.type === 'end') throw message.error;
      return message;
    },
  }),
);

/** Without the end, unless it has an error. */
async function* shown(messages: AsyncGenerator<StreamMessage, void>): AsyncGenerator<StreamMessage, void> {
  for await (const message of messages) if (message.type !== 'end' || message.error) yield message;
}
