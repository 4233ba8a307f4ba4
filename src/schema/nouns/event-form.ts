import type { ZodType } from 'zod';
import { planOnce } from '#compiled-graphql';
import { type Form, formLoader, parseFormVersion } from '../../domain/event/event-form.ts';
import { setEventForm } from '../../domain/event/set-event-form.ts';
import { type Question, question, questionOption, questionTypes } from '../../domain/form/question.ts';
import { builder } from '../builder/builder.ts';
import { enumOf } from '../builder/enum-of.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { nestedInput } from '../relay/input-fields.ts';
import { nodeRef } from '../relay/resource-node.ts';
import { EventRef, eventField } from './event.ts';
import { EventFieldsRef } from './event-fields.ts';
import { questionsOf } from './form-questions.ts';

type QuestionOption = NonNullable<Question['options']>[number];

const { shape } = question;
const described = (schema: ZodType) => ({ description: schema.meta()?.description as string });

const EventQuestionOption = builder.objectRef<QuestionOption>('EventQuestionOption').implement({
  description: 'An option of a question.',
  fields: (t) => ({
    value: t.exposeString('value', described(questionOption.shape.value)),
    label: t.exposeString('label', described(questionOption.shape.label)),
  }),
});

/** A number has the form that it has in JSON, since GraphQL has no type for numbers and dates. */
const boundText = (bound: number | string | undefined) =>
  typeof bound === 'number' ? JSON.stringify(bound) : (bound ?? null);

const EventQuestionRef = builder.objectRef<Question>('EventQuestion').implement({
  description: 'A question of a form.',
  fields: (t) => ({
    key: t.exposeString('key', described(shape.key)),
    type: t.expose('type', { type: enumOf(questionTypes), ...described(shape.type) }),
    label: t.exposeString('label', described(shape.label)),
    help: t.exposeString('help', { nullable: true, ...described(shape.help) }),
    required: t.boolean({ description: 'Whether it must be answered.', resolve: (row) => row.required ?? false }),
    min: t.string({ nullable: true, ...described(shape.min), resolve: ({ min }) => boundText(min) }),
    max: t.string({ nullable: true, ...described(shape.max), resolve: ({ max }) => boundText(max) }),
    options: t.field({ type: [EventQuestionOption], ...described(shape.options), resolve: (row) => row.options ?? [] }),
  }),
});

nestedInput('EventQuestionOptionInput', 'An option of a question.', questionOption);
nestedInput('EventQuestionInput', 'A question of a form.', question);

/** The id is that of the event, with `:version` for a version that was asked for: only the current form changes. */
type FormNode = Form & { id: string };

export const EventFormRef = nodeRef<FormNode>('EventForm', {
  loader: (ctx, _columns, id) => {
    const [event = '', version] = id.split(':');
    const forms = formLoader(ctx, version === undefined ? null : Number(version));
    return { load: async () => formNode(id, await forms.load(event)) };
  },
}).implement({
  description: 'The questions that subscribers to an event answer.',
  fields: (t) => ({
    databaseId: t.id({ description: 'The id of the event, which REST uses.', resolve: ({ id }) => id.slice(0, 36) }),
    version: t.exposeInt('version', { description: 'Increases by one with each change; 0 if there is no form.' }),
    questions: t.field({
      type: [EventQuestionRef],
      description: 'The questions, in order.',
      resolve: ({ questions }, _args, ctx) => questionsOf(ctx, questions),
    }),
  }),
});

export function formNode(id: string, form: Form | null): FormNode | null {
  return form && { id, ...form };
}

builder.interfaceField(EventFieldsRef, 'form', (t) =>
  t.field({ type: EventFormRef, nullable: true, description: 'The current form of the event.' }),
);

builder.objectField(EventRef, 'form', (t) =>
  t.field({
    type: EventFormRef,
    nullable: true,
    description: 'The form of the event; null if the version does not exist.',
    args: { version: t.arg.int({ description: 'A version of the form; the current one if absent.' }) },
    extensions: { read: 'eventForm', cost: 1 },
    resolve: async ({ id }, args, ctx, info) => {
      const version = parseFormVersion(args.version);
      const form = await planOnce(ctx, info, () => formLoader(ctx, version)).load(id);
      return formNode(version === null ? id : `${id}:${version}`, form);
    },
  }),
);

commandMutation(
  setEventForm,
  (t) => ({
    form: t.field({
      type: EventFormRef,
      description: 'The form after the mutation.',
      extensions: { cost: 1 },
      resolve: ({ event_id: id, ...form }) => ({ id, ...form }),
    }),
    event: eventField(t, 'The event of the form.'),
  }),
  { objectField: 'eventId' },
);
