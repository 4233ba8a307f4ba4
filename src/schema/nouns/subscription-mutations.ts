import { field } from '../../domain/nouns/nouns.ts';
import { checkIn, undoCheckIn } from '../../domain/subscription/check-in.ts';
import { subscribe } from '../../domain/subscription/subscribe.ts';
import { type BulkIssue, maxItems, subscribedUser, subscribeUsers } from '../../domain/subscription/subscribe-users.ts';
import type { SubscriptionRow } from '../../domain/subscription/subscription.resource.ts';
import { subscriptionCursor } from '../../domain/subscription/subscription.ts';
import { maxIds, transitionSubscriptions } from '../../domain/subscription/transition-subscriptions.ts';
import { updateSubscription } from '../../domain/subscription/update-subscription.ts';
import { inputShape } from '../../engine/command.ts';
import { withMembership } from '../../engine/context.ts';
import { errorCodes, type Issue } from '../../kernel/errors.ts';
import { builder, type ObjectFields } from '../builder/builder.ts';
import { enumOf } from '../builder/enum-of.ts';
import { commandMutation, ownPointer } from '../relay/command-mutation.ts';
import { newEdge } from '../relay/connection.ts';
import { nestedInput } from '../relay/input-fields.ts';
import { shownType } from '../relay/node-fields.ts';
import { rowField } from '../relay/resource-node.ts';
import { eventField } from './event.ts';
import { EventSubscriptionRef, subscriptionPages } from './subscription.ts';

const payload = (t: ObjectFields<SubscriptionRow>) => ({
  eventSubscription: rowField(t, EventSubscriptionRef, 'The subscription after the mutation.'),
  event: eventField(t, "The subscription's event after the mutation."),
});

commandMutation(
  subscribe,
  (t) => ({
    ...payload(t),
    eventSubscriptionEdge: newEdge(
      t,
      subscriptionPages.type,
      "The new subscription, as an edge of its event's list.",
      (node, ctx) => ({ node, cursor: subscriptionCursor(withMembership(ctx), node) }),
    ),
  }),
  { name: 'subscribeToEvent', objectField: 'eventId' },
);
commandMutation(updateSubscription, payload, { name: 'updateEventSubscription' });
commandMutation(checkIn, payload, { name: 'checkInEventSubscription' });
commandMutation(undoCheckIn, payload);

const InputIssue = shownType<Issue>('InputIssue', 'Why one part of the input was refused.', {
  pointer: field.text('JSON pointer to the part, for example `/ids/3`.'),
  code: field.choice(errorCodes, 'The error code.'),
  detail: field.text('The reason, for people.'),
});

const BulkError = builder.objectRef<BulkIssue>('BulkError').implement({
  description: 'Why one item of the input was refused.',
  fields: (t) => ({
    pointer: t.exposeString('pointer', { description: 'JSON pointer to the item, for example `/items/3`.' }),
    code: t.expose('code', {
      type: enumOf(errorCodes),
      description: 'The code of the error that one subscription would get.',
    }),
    detail: t.exposeString('detail', { description: 'The reason, for people.' }),
    errors: t.field({
      type: [InputIssue],
      nullable: true,
      description: 'What is wrong with the values of the item.',
      resolve: ({ errors }) =>
        errors?.map((each) => ({ ...each, pointer: ownPointer(each.pointer, inputShape(subscribeUsers)) })) ?? null,
    }),
  }),
});

const subscriptionsField = <Row extends { items: SubscriptionRow[] }>(
  t: ObjectFields<Row>,
  description: string,
  cost: number,
) => t.field({ type: [EventSubscriptionRef], description, extensions: { cost }, resolve: ({ items }) => items });

nestedInput('EventSubscriptionItemInput', 'A subscription to make.', subscribedUser);

commandMutation(
  subscribeUsers,
  (t) => ({
    eventSubscriptions: subscriptionsField(t, 'The new subscriptions, in the order of the items.', maxItems),
    errors: t.expose('errors', { type: [BulkError], description: 'Why the other items were refused.' }),
    event: eventField(t, 'The event after the mutation.'),
  }),
  { name: 'subscribeUsersToEvent', objectField: 'eventId' },
);

commandMutation(
  transitionSubscriptions,
  (t) => ({
    eventSubscriptions: subscriptionsField(t, 'The subscriptions that have the new status.', maxIds),
    errors: t.expose('errors', { type: [InputIssue], description: 'Why the others were refused.' }),
  }),
  {
    name: 'updateEventSubscriptions',
    description:
      'Changes the status of up to 100 subscriptions, in order and each independently; for managers and owners.',
  },
);
