import type { Answers } from '../../domain/form/answers-schema.ts';
import type { Question } from '../../domain/form/question.ts';

/** What stands in the fields of a form, by their names. */
export type Typed = ReadonlyMap<string, readonly string[]>;

export const nothingTyped: Typed = new Map();

/** The name of the field, or the fields, of a question. */
export const fieldName = ({ key }: Question): string => `answers.${key}`;

/** What somebody sent. Browsers send the ends of lines as CRLF, and count them as one character. */
export function typedIn(form: URLSearchParams): Typed {
  const typed = new Map<string, string[]>();
  for (const [name, value] of form) {
    const values = typed.get(name);
    const text = value.replaceAll('\r\n', '\n');
    if (values) values.push(text);
    else typed.set(name, [text]);
  }
  return typed;
}

/** What stands in the one field of a name. */
export function typedText(typed: Typed, name: string): string {
  return typed.get(name)?.[0] ?? '';
}

/** Answers as they stand in the fields of their questions. */
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

/** The answers that fields mean; what they cannot mean is left as it was typed, for the domain to refuse. */
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

/** A number that was typed; any other text is left as it is. */
export function numberIn(text: string): number | string {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}
