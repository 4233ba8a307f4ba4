import type { Answers } from '../../domain/form/answers-schema.ts';
import type { Question } from '../../domain/form/question.ts';

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
