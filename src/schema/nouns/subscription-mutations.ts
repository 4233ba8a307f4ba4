import { checkIn, undoCheckIn } from '../../domain/subscription/check-in.ts';
import { subscribe } from '../../domain/subscription/subscribe.ts';
import type { SubscriptionRow } from '../../domain/subscription/subscription.resource.ts';
import { subscriptionCursor } from '../../domain/subscription/subscription.ts';
import { maxIds, transitionSubscriptions } from '../../domain/subscription/transition-subscriptions.ts';
import { updateSubscription } from '../../domain/subscription/update-subscription.ts';
import { withMembership } from '../../engine/context.ts';
import type { Issue } from '../../kernel/errors.ts';
import { builder, type Types } from '../builder/builder.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { newEdge } from '../relay/connection.ts';
import { rowField } from '../relay/resource-node.ts';
import { eventField } from './event.ts';
import { EventSubscriptionConnection, EventSubscriptionRef } from './subscription.ts';

type Payload<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>;

const object = { field: 'id', noun: 'subscription' } as const;

const subscriptionPayload = (t: Payload<SubscriptionRow>) => ({
  eventSubscription: rowField(t, EventSubscriptionRef, 'The subscription after the mutation.'),
  event: eventField(t, "The subscription's event after the mutation."),
});

commandMutation({
  name: 'subscribeToEvent',
  description: 'Subscribes the viewer to an event; managers can subscribe any member.',
  command: subscribe,
  largeInput: true,
  object: { field: 'eventId', noun: 'event' },
  payload: (t) => ({
    ...subscriptionPayload(t),
    eventSubscriptionEdge: newEdge(
      t,
      EventSubscriptionConnection,
      "The new subscription, as an edge of its event's list.",
      (subscription, ctx) => ({
        node: subscription,
        cursor: subscriptionCursor(withMembership(ctx), subscription),
      }),
    ),
  }),
});

commandMutation({
  name: 'updateEventSubscription',
  description: 'Changes the status of a subscription, or replaces its answers; holders can cancel their own.',
  command: updateSubscription,
  largeInput: true,
  object,
  payload: subscriptionPayload,
});

commandMutation({
  name: 'checkInEventSubscription',
  description: 'Checks in an accepted subscription; for managers and owners.',
  command: checkIn,
  object,
  payload: subscriptionPayload,
});

commandMutation({
  name: 'undoCheckIn',
  description: 'Undoes a check-in; for managers and owners.',
  command: undoCheckIn,
  object,
  payload: subscriptionPayload,
});

const InputIssue = builder.objectRef<Issue>('InputIssue').implement({
  description: 'Why one part of the input was refused.',
  fields: (t) => ({
    pointer: t.exposeString('pointer', { description: 'JSON pointer to the part, for example `/ids/3`.' }),
    code: t.exposeString('code', { description: 'The error code.' }),
    detail: t.exposeString('detail', { description: 'The reason, for people.' }),
  }),
});

commandMutation({
  name: 'updateEventSubscriptions',
  description:
    'Changes the status of up to 100 subscriptions, in order and each independently; for managers and owners.',
  command: transitionSubscriptions,
  payload: (t) => ({
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
});
