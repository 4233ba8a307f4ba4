import { z } from 'zod';
import { isRecord } from '#input-values';
import type { MemberContext } from '../../engine/context.ts';
import { fault, faults, type Issue } from '../../kernel/errors.ts';
import { checkInput } from '../../kernel/input/parse-input.ts';
import { type Form, formLoader } from '../event/event-form.ts';
import { type Answers, answersSchema } from '../form/answers-schema.ts';
import type { Subscription } from './subscription.entity.ts';

export const answersFields = {
  answers: z
    .custom<Answers>(isRecord, 'Must be an object.')
    .nullable()
    .optional()
    .meta({
      type: ['object', 'null'],
      additionalProperties: true,
      description: "Answers to the event's form, keyed by question.",
    }),
  form_version: z
    .int('Must be an integer.')
    .optional()
    .meta({ description: 'The version of the form that the answers are for; refused if it is not the current one.' }),
};

interface Given {
  answers?: Answers | null | undefined;
  form_version?: number | undefined;
}

export type KeptAnswers = Pick<Subscription, 'answers' | 'form_version'>;

const noAnswers: KeptAnswers = { answers: null, form_version: null };

/** With keys in the order of `jsonb`, so that a write returns the same bytes as a later read. */
function inStoredOrder(answers: Answers): Answers {
  const byLength = ([a]: [string, unknown], [b]: [string, unknown]) => a.length - b.length || (a < b ? -1 : 1);
  return Object.fromEntries(Object.entries(answers).sort(byLength));
}

export function requireFormVersion(form: Form, { form_version }: Given): void {
  if (!isOutdated(form, { form_version })) return;
  throw fault('CONFLICT', '/form_version', `The current version of the form is ${form.version}.`);
}

function isOutdated(form: Form, { form_version }: Given): boolean {
  return form_version !== undefined && form_version !== form.version;
}

/** All issues, at `/answers/<key>`, or the answers to store. */
export function checkAnswers(
  form: Form,
  { answers }: Given,
  options: { complete: boolean },
): { kept: KeptAnswers } | { issues: Issue[] } {
  // most events have no form, and making a schema costs more than the other checks
  if (form.questions.length === 0 && Object.keys(answers ?? {}).length === 0) return { kept: noAnswers };
  const checked = checkInput(answersSchema(form.questions, options), answers ?? {});
  if ('issues' in checked) return { issues: byQuestion(checked.issues) };
  const isEmpty = Object.keys(checked.value).length === 0;
  return {
    kept: isEmpty ? noAnswers : { answers: inStoredOrder(checked.value), form_version: form.version },
  };
}

/**
 * Checks answers against the current form; first the version that they are for.
 * @param options.complete whether required questions must be answered
 * @throws DomainError CONFLICT at `/form_version`; VALIDATION_ERROR at `/answers/<key>`
 */
export function requireAnswers(form: Form, given: Given, options: { complete: boolean }): KeptAnswers {
  requireFormVersion(form, given);
  const checked = checkAnswers(form, given, options);
  if ('issues' in checked) throw faults('VALIDATION_ERROR', checked.issues);
  return checked.kept;
}

/**
 * The issues of the answers in an input that has others, to report all at once; the answers of a sound input are checked when
 * the event is locked. None if they are for another version of the form.
 */
export async function furtherAnswerIssues(
  ctx: MemberContext,
  sent: Readonly<Record<string, unknown>>,
  { eventId, complete }: { eventId: string | null; complete: boolean },
): Promise<Issue[]> {
  const answers = answersFields.answers.safeParse(sent.answers);
  if (!answers.success || eventId === null) return [];
  const form = await formLoader(ctx, null).load(eventId);
  const { data: form_version } = answersFields.form_version.safeParse(sent.form_version);
  return form ? answerIssues(form, { answers: answers.data, form_version }, { complete }) : [];
}

/** None for answers to another version, about which this one says nothing. */
export function answerIssues(form: Form, given: Given, options: { complete: boolean }): Issue[] {
  if (isOutdated(form, given)) return [];
  const checked = checkAnswers(form, given, options);
  return 'issues' in checked ? checked.issues : [];
}

/** An issue within an answer becomes one of the whole answer. */
function byQuestion(issues: readonly Issue[]): Issue[] {
  const first = new Map<string, Issue>();
  for (const issue of issues) {
    const [, key] = issue.pointer.split('/');
    const pointer = key === undefined ? '/answers' : `/answers/${key}`;
    if (!first.has(pointer)) first.set(pointer, { ...issue, pointer });
  }
  return [...first.values()];
}
