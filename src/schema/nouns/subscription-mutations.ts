import { eventLoader } from '../../domain/event/event.ts';
import { checkIn, undoCheckIn } from '../../domain/subscription/check-in.ts';
import { subscribe } from '../../domain/subscription/subscribe.ts';
import type { SubscriptionRow } from '../../domain/subscription/subscription.resource.ts';
import { subscriptionCursor } from '../../domain/subscription/subscription.ts';
import { maxIds, transitionSubscriptions } from '../../domain/subscription/transition-subscriptions.ts';
import { updateSubscription } from '../../domain/subscription/update-subscription.ts';
import { withMembership } from '../../engine/context.ts';
import type { Issue } from '../../kernel/errors.ts';
import { builder, type ObjectFields } from '../builder/builder.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { newEdge } from '../relay/connection.ts';
import { namedRow, rowField } from '../relay/resource-node.ts';
import { EventRef } from './event.ts';
import { EventSubscriptionConnection, EventSubscriptionRef } from './subscription.ts';

const payload = (t: ObjectFields<SubscriptionRow>) => ({
  eventSubscription: rowField(t, EventSubscriptionRef, 'The subscription after the mutation.'),
  event: namedRow(t, EventRef, {
    by: 'event_id',
    loader: eventLoader,
    description: "The subscription's event after the mutation.",
  }),
});

commandMutation(
  subscribe,
  (t) => ({
    ...payload(t),
    eventSubscriptionEdge: newEdge(
      t,
      EventSubscriptionConnection,
      "The new subscription, as an edge of its event's list.",
      (node, ctx) => ({ node, cursor: subscriptionCursor(withMembership(ctx), node) }),
    ),
  }),
  { name: 'subscribeToEvent', objectField: 'eventId' },
);
commandMutation(updateSubscription, payload, { name: 'updateEventSubscription' });
commandMutation(checkIn, payload, { name: 'checkInEventSubscription' });
commandMutation(undoCheckIn, payload);

const InputIssue = builder.objectRef<Issue>('InputIssue').implement({
  description: 'Why one part of the input was refused.',
  fields: (t) => ({
    pointer: t.exposeString('pointer', { description: 'JSON pointer to the part, for example `/ids/3`.' }),
    code: t.exposeString('code', { description: 'The error code.' }),
    detail: t.exposeString('detail', { description: 'The reason, for people.' }),
  }),
});

commandMutation(
  transitionSubscriptions,
  (t) => ({
    eventSubscriptions: t.field({
      type: [EventSubscriptionRef],
      description: 'The subscriptions that have the new status.',
      extensions: { cost: () => maxIds },
      resolve: ({ items }) => items,
    }),
    errors: t.field({
      type: [InputIssue],
      description: 'Why the others were refused.',
      resolve: ({ errors }) => errors,
    }),
  }),
  {
    name: 'updateEventSubscriptions',
    description:
      'Changes the status of up to 100 subscriptions, in order and each independently; for managers and owners.',
  },
);
