import { isDay, type Question, type QuestionType } from '../../domain/form/question.ts';
import type { Issue } from '../../kernel/errors.ts';
import { fieldName, numberIn, type Typed, typedText } from './typed.ts';

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
