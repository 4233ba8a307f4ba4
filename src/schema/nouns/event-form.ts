import { planOnce } from '#compiled-graphql';
import { eventLoader } from '../../domain/event/event.ts';
import { type Form, formLoader, parseFormVersion } from '../../domain/event/event-form.ts';
import { setEventForm } from '../../domain/event/set-event-form.ts';
import { builder } from '../builder/builder.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { oneNode } from '../relay/field-costs.ts';
import { namedRow, rowField } from '../relay/resource-node.ts';
import { EventRef } from './event.ts';
import { EventQuestionRef } from './event-question.ts';
import { questionsOf } from './form-questions.ts';

export const EventFormRef = builder.objectRef<Form>('EventForm').implement({
  description: 'The questions that subscribers to an event answer.',
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'Increases by one with each change; 0 if there is no form.' }),
    questions: t.field({
      type: [EventQuestionRef],
      description: 'The questions, in order.',
      resolve: ({ questions }, _args, ctx) => questionsOf(ctx, questions),
    }),
  }),
});

builder.objectField(EventRef, 'form', (t) =>
  t.field({
    type: EventFormRef,
    nullable: true,
    description: 'The form of the event; null if the version does not exist.',
    args: { version: t.arg.int({ description: 'A version of the form; the current one if absent.' }) },
    extensions: { read: 'eventForm', cost: oneNode },
    resolve: (event, args, ctx, info) =>
      planOnce(ctx, info, () => formLoader(ctx, parseFormVersion(args.version))).load(event.id),
  }),
);

commandMutation(
  setEventForm,
  (t) => ({
    form: rowField(t, EventFormRef, 'The form after the mutation.'),
    event: namedRow(t, EventRef, { by: 'event_id', loader: eventLoader, description: 'The event of the form.' }),
  }),
  { objectField: 'eventId' },
);
