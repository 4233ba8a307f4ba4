import type { ZodType } from 'zod';
import { type Question, question, questionOption } from '../../domain/form/question.ts';
import { builder } from '../builder/builder.ts';
import { nestedInput } from '../relay/input-fields.ts';
import { EventQuestionTypeEnum } from './enums.ts';

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

export const EventQuestionRef = builder.objectRef<Question>('EventQuestion').implement({
  description: 'A question of a form.',
  fields: (t) => ({
    key: t.exposeString('key', described(shape.key)),
    type: t.expose('type', { type: EventQuestionTypeEnum, ...described(shape.type) }),
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
