import type { Answers } from '../../domain/form/answers-schema.ts';
import { isDay, type Question, type QuestionType } from '../../domain/form/question.ts';
import type { Issue } from '../../kernel/errors.ts';

export type Typed = ReadonlyMap<string, readonly string[]>;

export const nothingTyped: Typed = new Map();

export const fieldName = ({ key }: Question): string => `answers.${key}`;

/** Browsers send a line break as CRLF but count it as one character. */
export function typedIn(form: URLSearchParams): Typed {
  const byName = Map.groupBy(form, ([name]) => name);
  const texts = (fields: [string, string][]) => fields.map(([, value]) => value.replaceAll('\r\n', '\n'));
  return new Map([...byName].map(([name, fields]) => [name, texts(fields)]));
}

export function typedText(typed: Typed, name: string): string {
  return typed.get(name)?.[0] ?? '';
}

export function typedAnswers(questions: readonly Question[], answers: Answers | null): Typed {
  return new Map(
    questions.flatMap((question): [string, string[]][] => {
      // every object has a `constructor`
      const answer = answers !== null && Object.hasOwn(answers, question.key) ? answers[question.key] : null;
      if (answer === undefined || answer === null) return [];
      return [[fieldName(question), (Array.isArray(answer) ? answer : [answer]).map(String)]];
    }),
  );
}

/** A malformed answer stays as it was typed, for the domain to reject. */
export function answersIn(typed: Typed, questions: readonly Question[]): Answers {
  return Object.fromEntries(questions.map((question) => [question.key, answerIn(typed, question)]));
}

function answerIn(typed: Typed, question: Question): unknown {
  const values = typed.get(fieldName(question)) ?? [];
  const [first = ''] = values;
  switch (question.type) {
    case 'choices':
      return values.filter((value) => value !== '');
    case 'consent':
      return values.includes('true') ? true : null;
    case 'number':
      return numberIn(first.trim());
    case 'text':
    case 'long_text':
    case 'choice':
      return first;
    case 'date':
    case 'email':
    case 'url':
      return first.trim();
  }
}

/** Any text that is not a number is returned unchanged. */
export function numberIn(text: string): number | string {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}

export type Faults = ReadonlyMap<string, string>;

export const noFaults: Faults = new Map();

/** The domain's issues, in words for the person who fills in the form. */
export function faultsOf(issues: readonly Issue[], questions: readonly Question[], typed: Typed): Faults {
  return new Map(
    issues.map((issue) => {
      const name = issue.pointer.slice(1).replace('/', '.');
      const question = questions.find((each) => fieldName(each) === name);
      const text = typedText(typed, name).trim();
      return [name, (question ? answerFault(question, text) : personFault(name, text)) ?? issue.detail];
    }),
  );
}

const notAnAddress = 'This is not an e-mail address. Write it like name@example.org.';

/** Null if the domain's words will do. */
function personFault(name: string, text: string): string | null {
  if (name === 'name') return text === '' ? 'Please enter your name.' : null;
  if (name !== 'email') return null;
  return text === '' ? 'Please enter your e-mail address.' : notAnAddress;
}

function answerFault({ type }: Question, text: string): string | null {
  if (type === 'consent') return 'Please tick this box: you can only subscribe if you agree.';
  if (text === '') return missing[type];
  switch (type) {
    case 'number':
      return typeof numberIn(text) === 'number' ? null : 'Please write a number in digits, such as 12 or 2.5.';
    case 'date':
      return isDay(text) ? null : 'This date does not exist. Write it like 2031-05-24.';
    case 'email':
      return notAnAddress;
    case 'url':
      return 'Please write the whole web address, beginning with https:// or http://.';
    default:
      return null;
  }
}

const missing: Record<Exclude<QuestionType, 'consent'>, string> = {
  text: 'Please answer this question.',
  long_text: 'Please answer this question.',
  number: 'Please enter a number.',
  date: 'Please enter a date.',
  choice: 'Please choose one.',
  choices: 'Please choose at least one.',
  email: 'Please enter an e-mail address.',
  url: 'Please enter a web address.',
};
