import { z } from 'zod';
import { hasAtMost, list, longestWebAddress, longText, parseTimestamp, text } from '#input-values';

export const questionTypes = [
  'text',
  'long_text',
  'number',
  'date',
  'choice',
  'choices',
  'consent',
  'email',
  'url',
] as const;
export type QuestionType = (typeof questionTypes)[number];

/** Code points of a text answer. */
export const longest = { text: 200, long_text: 10_000, url: longestWebAddress };
const maxQuestions = 50;
export const maxOptions = 50;

/** What `min` and `max` limit; other types have neither. */
const bounded = {
  text: 'characters',
  long_text: 'characters',
  number: 'number',
  date: 'date',
  choices: 'options',
} as const satisfies Partial<Record<QuestionType, string>>;

function line(characters: number) {
  return text
    .refine((value) => value.trim() !== '', 'Must not be empty.')
    .refine((value) => hasAtMost(value, characters), `Must have at most ${characters} characters.`)
    .refine((value) => !/(?!\0)\p{Cc}/u.test(value), 'Must not contain control characters.')
    .meta({ minLength: 1, maxLength: characters });
}

export const questionOption = z.strictObject({
  value: line(200).meta({ description: 'What answers contain; unique in the question.' }),
  label: line(200).meta({ description: 'The option, as shown to people.' }),
});
// JSON has a negative zero, which PostgreSQL does not preserve
const number = z.number().overwrite((value) => (value === 0 ? 0 : value));
const bound = z.union([number, z.string()], 'Must be a number, or a date for questions of type `date`.');

export const question = z
  .strictObject({
    key: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Must be a-z, 0-9 and _, begin with a letter, and have at most 40 characters.')
      .meta({ description: 'The key of the answer; unique in the form.' }),
    type: z.enum(questionTypes, 'There is no such type of question.').meta({ description: 'The type of the answer.' }),
    label: line(200).meta({ description: 'The question, as shown to people.' }),
    help: longText(1_000).optional().meta({ maxLength: 1_000, description: 'A hint shown with the question.' }),
    required: z.boolean().optional().meta({ description: 'Whether it must be answered; false if absent.' }),
    options: list(questionOption, {
      min: { items: 1, message: 'Must have at least one option.' },
      max: { items: maxOptions, message: `Must have at most ${maxOptions} options.` },
    })
      .optional()
      .meta({ description: 'The options to choose from; only for questions with a choice.' }),
    min: bound.optional().meta({
      description: 'The least number of characters or chosen options, the least number, or the earliest date.',
    }),
    max: bound.optional().meta({
      description: 'The greatest number of characters or chosen options, the greatest number, or the latest date.',
    }),
  })
  .superRefine(
    (value, context) => {
      for (const [path, message] of contradictions(value)) {
        // one issue for one mistake: what must be absent is not also too short
        const isOther = (issue: { path?: PropertyKey[] | undefined }) =>
          path.some((key, at) => issue.path?.[at] !== key);
        context.issues = context.issues.filter(isOther);
        context.addIssue({ code: 'custom', path, message });
      }
    },
    // together with the issues of single fields
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );

export type Question = z.output<typeof question>;

export const questionList = list(
  question,
  { max: { items: maxQuestions, message: `Must have at most ${maxQuestions} questions.` } },
  (questions) =>
    questions.superRefine(
      (given, context) => {
        for (const index of repeated(given.map((each) => each?.key))) {
          context.addIssue({ code: 'custom', path: [index, 'key'], message: 'Another question has this key.' });
        }
      },
      { when: ({ value }) => Array.isArray(value) },
    ),
).meta({ description: 'The questions, up to 50, in order.' });

type Fault = [path: (string | number)[], message: string];

/** Any field may also be missing or invalid. */
function contradictions(given: Partial<Question>): Fault[] {
  if (given.type === undefined || !questionTypes.includes(given.type)) return [];
  return [...optionFaults(given, given.type), ...boundFaults(given, given.type)];
}

function optionFaults({ options }: Partial<Question>, type: QuestionType): Fault[] {
  const takesOptions = type === 'choice' || type === 'choices';
  if (options === undefined) return takesOptions ? [[['options'], 'Is required for this type.']] : [];
  if (!takesOptions) return [[['options'], 'Must be absent for this type.']];
  if (!Array.isArray(options) || options.length > maxOptions) return [];
  return repeated(options.map((each) => each?.value)).map((index) => [
    ['options', index, 'value'],
    'Another option has this value.',
  ]);
}

function boundFaults(given: Partial<Question>, type: QuestionType): Fault[] {
  const kind = Object.hasOwn(bounded, type) ? bounded[type as keyof typeof bounded] : null;
  const names = (['min', 'max'] as const).filter((name) => given[name] !== undefined);
  if (kind === null) return names.map((name) => [[name], 'Must be absent for this type.']);
  const faults = names.flatMap((name): Fault[] => {
    const message = boundFault(kind, type, given[name]);
    return message === null ? [] : [[[name], message]];
  });
  if (faults.length > 0) return faults;
  const { min, max = greatest(given, type) } = given;
  const contradict = min !== undefined && max !== undefined && min > max;
  return contradict
    ? [[['min'], given.max === undefined ? `Must be at most ${max}.` : 'Must not be greater than `max`.']]
    : [];
}

/** The greatest `min` that an answer can meet if there is no `max`. */
function greatest({ options }: Partial<Question>, type: QuestionType): number | undefined {
  if (type === 'choices') return Array.isArray(options) ? options.length : undefined;
  return type === 'text' || type === 'long_text' ? longest[type] : undefined;
}

function boundFault(kind: string, type: QuestionType, value: unknown): string | null {
  if (kind === 'date') return isDay(value) ? null : 'Must be a date, YYYY-MM-DD.';
  if (typeof value !== 'number') return 'Must be a number.';
  if (kind === 'number') return null;
  if (!Number.isInteger(value) || value < 0) return 'Must be an integer of at least 0.';
  const most = type === 'text' || type === 'long_text' ? longest[type] : Number.POSITIVE_INFINITY;
  return value <= most ? null : `Must be at most ${most}.`;
}

export function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && parseTimestamp(`${value}T00:00:00Z`) !== null;
}

function repeated(values: unknown[]): number[] {
  return values.flatMap((value, index) => (value !== undefined && values.indexOf(value) < index ? [index] : []));
}
