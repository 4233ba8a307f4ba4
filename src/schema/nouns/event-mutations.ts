import { createEvent } from '../../domain/event/create-event.ts';
import { deleteEvent } from '../../domain/event/delete-event.ts';
import { duplicateEvent } from '../../domain/event/duplicate-event.ts';
import type { EventRow } from '../../domain/event/event.resource.ts';
import { eventCursor } from '../../domain/event/event.ts';
import { updateEvent } from '../../domain/event/update-event.ts';
import { withMembership } from '../../engine/context.ts';
import type { Types } from '../builder/builder.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { newEdge } from '../relay/connection.ts';
import { removedId, rowField } from '../relay/resource-node.ts';
import { EventConnection, EventRef } from './event.ts';

type Payload<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>;

const object = { field: 'id', noun: 'event' } as const;

const eventField = (t: Payload<EventRow>) => rowField(t, EventRef, 'The event after the mutation.');

const eventEdge = (t: Payload<EventRow>) =>
  newEdge(t, EventConnection, 'The new event, as an edge of the list of all events by `DATE_START`.', (event, ctx) => ({
    node: event,
    cursor: eventCursor(withMembership(ctx), event),
  }));

commandMutation({
  name: 'createEvent',
  description: 'Creates an event; for managers and owners.',
  command: createEvent,
  payload: (t) => ({ event: eventField(t), eventEdge: eventEdge(t) }),
});

commandMutation({
  name: 'updateEvent',
  description: 'Changes an event; absent fields keep their values. For managers and owners.',
  command: updateEvent,
  object,
  versioned: true,
  payload: (t) => ({ event: eventField(t) }),
});

commandMutation({
  name: 'deleteEvent',
  description: 'Deletes a draft without subscriptions; for managers and owners.',
  command: deleteEvent,
  object,
  versioned: true,
  payload: (t) => ({
    deletedEventId: removedId(t, 'Event', 'The global id of the deleted event.'),
  }),
});

commandMutation({
  name: 'duplicateEvent',
  description:
    'Creates a draft as a copy of an event; the fields of the input replace those of the original. For managers and owners.',
  command: duplicateEvent,
  object,
  payload: (t) => ({ event: eventField(t), eventEdge: eventEdge(t) }),
});
