import { type ZodType, z } from 'zod';
import { countCharacters, emailAddress, isWebAddress, list, text } from '#input-values';
import { isDay, longest, maxOptions, type Question } from './question.ts';

export type Answers = Record<string, unknown>;

/**
 * The schema of the answers to a form. `null`, white space and an empty list count as no answer and are left out.
 * @param complete whether required questions must be answered
 */
export function answersSchema(questions: readonly Question[], { complete }: { complete: boolean }): ZodType<Answers> {
  const shape = Object.fromEntries(
    questions.map((question) => {
      const schema = answerSchema(question);
      return [question.key, question.required && complete ? schema : schema.optional()];
    }),
  );
  const keys = new Set(questions.map(({ key }) => key));
  const given = (value: unknown) =>
    typeof value === 'object' && value !== null
      ? withoutPrototype(Object.entries(value).filter(([key, each]) => !(keys.has(key) && isNoAnswer(each))))
      : value;
  return z.preprocess(given, z.strictObject(shape));
}

/** A question may have the key `constructor`, which every object with a prototype has. */
function withoutPrototype(entries: [string, unknown][]): object {
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

function isNoAnswer(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === null || (Array.isArray(value) && value.length === 0);
}

const expected = (message: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'An answer is required.' : message),
});

function answerSchema(question: Question): ZodType {
  const { type, options = [] } = question;
  switch (type) {
    case 'text':
    case 'long_text':
      return words(longest[type], question);
    case 'number':
      return z
        .number(expected('Must be a number.'))
        .refine((value) => isWithin(value, question), `Must be ${range(question)}.`);
    case 'date':
      return z
        .string(expected('Must be a date, YYYY-MM-DD.'))
        .refine(isDay, { error: 'Must be an existing date, YYYY-MM-DD.', abort: true })
        .refine((value) => isWithin(value, question), `Must be ${range(question)}.`);
    case 'choice':
      return z.enum(values(options), expected('Must be one of the options.'));
    case 'choices':
      return choices(question, options);
    case 'consent':
      return question.required
        ? z.literal(true, expected('Must be true.'))
        : z.boolean(expected('Must be true or false.'));
    case 'email':
      return required.pipe(emailAddress);
    case 'url':
      return required.pipe(text.refine(isWebAddress, 'Must be an absolute http or https URL.'));
  }
}

function choices(question: Question, options: NonNullable<Question['options']>): ZodType {
  // more than the options allow: an unknown or repeated option gives the more useful message
  const items = Math.max(options.length, maxOptions);
  return list(
    z.enum(values(options), 'Must be one of the options.'),
    {
      max: { items, message: `Must contain at most ${items} options.` },
      expected: expected('Must be a list of options.'),
    },
    (chosen) =>
      chosen
        .refine((given) => new Set(given).size === given.length, 'Must not contain an option twice.')
        .refine((given) => isWithin(given.length, question), `The number of options must be ${range(question)}.`),
  );
}

const required = z.string(expected('Must be a string.'));

function words(most: number, { min, max = most }: Question): ZodType {
  const bounds = { min, max };
  return required
    .pipe(text)
    .refine(
      (value) => isWithin(countCharacters(value, most), bounds),
      `The number of characters must be ${range(bounds)}.`,
    );
}

function values(options: NonNullable<Question['options']>): [string, ...string[]] {
  return options.map(({ value }) => value) as [string, ...string[]];
}

type Bounds = Pick<Question, 'min' | 'max'>;

function isWithin(value: number | string, { min, max }: Bounds): boolean {
  return (min === undefined || value >= min) && (max === undefined || value <= max);
}

function range({ min, max }: Bounds): string {
  if (min === undefined) return `at most ${max}`;
  return max === undefined ? `at least ${min}` : `from ${min} to ${max}`;
}
