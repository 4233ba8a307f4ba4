import { type FormEvent, useId } from 'react';
import type { Refused } from './refused.ts';
import { service } from './service.ts';

/** The answers to a form, by the keys of its questions, with the version that they are for. */
export interface Answered {
  answers: Record<string, unknown>;
  formVersion: number;
}

interface Question {
  key: string;
  type: 'TEXT' | 'LONG_TEXT' | 'NUMBER' | 'DATE' | 'CHOICE' | 'CHOICES' | 'CONSENT' | 'EMAIL' | 'URL';
  label: string;
  help: string | null;
  required: boolean;
  min: string | null;
  max: string | null;
  options: { value: string; label: string }[];
}

export interface Form {
  version: number;
  questions: Question[];
}

const document = `
  query FormOfEvent($event: ID!) {
    event(id: $event) {
      form { version questions { key type label help required min max options { value label } } }
    }
  }
`;

/** The form of an event as it is now; null if there is nothing to ask. */
export async function formOf(event: string): Promise<Form | null> {
  const found = await service.graphql<{ event: { form: Form } | null }>(document, { event });
  const form = found.event?.form;
  return form && form.questions.length > 0 ? form : null;
}

/** Asks the questions of a form. The browser checks what it can, the service everything. */
export function Questions({
  form,
  hidden,
  refused,
  onAnswer,
}: {
  form: Form;
  hidden: boolean;
  /** Why the last answers were refused. */
  refused: Refused | undefined;
  onAnswer(given: Answered): void;
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const answers = form.questions.flatMap((each) => {
      const answer = answerOf(each, typed.getAll(each.key).map(String));
      return answer === undefined ? [] : [[each.key, answer] as const];
    });
    onAnswer({ answers: Object.fromEntries(answers), formVersion: form.version });
  };
  return (
    <form hidden={hidden} onSubmit={submit}>
      {form.questions.map((each) => (
        <Field key={each.key} question={each} issue={issueOf(refused, each.key)} />
      ))}
      <button type="submit">Send answers</button>
    </form>
  );
}

/** What is wrong with the answer to a question. */
export function issueOf(refused: Refused | undefined, key: string): string | undefined {
  return refused?.issues.find(({ pointer }) => pointer === `/answers/${key}`)?.detail;
}

/** What was typed, as the service takes it; undefined if nothing was. */
function answerOf({ type }: Question, [first = '', ...others]: string[]): unknown {
  if (first === '') return undefined;
  if (type === 'NUMBER') return Number(first);
  if (type === 'CONSENT') return true;
  return type === 'CHOICES' ? [first, ...others] : first;
}

const inputs: Partial<Record<Question['type'], string>> = {
  NUMBER: 'number',
  DATE: 'date',
  EMAIL: 'email',
  URL: 'url',
  CONSENT: 'checkbox',
};

function Field({ question, issue }: { question: Question; issue: string | undefined }) {
  const { key: name, type, label, help, required, min, max, options } = question;
  const id = useId();
  const hint = help && <small> {help}</small>;
  const problem = issue && (
    <small role="alert" id={`${id}-problem`}>
      {issue}
    </small>
  );
  const described = issue ? { 'aria-invalid': true, 'aria-describedby': `${id}-problem` } : {};
  if (type === 'CHOICES') {
    return (
      <fieldset {...described}>
        <legend>
          {label}
          {hint}
        </legend>
        {options.map((option) => (
          <label key={option.value}>
            <input type="checkbox" name={name} value={option.value} /> {option.label}
          </label>
        ))}
        {problem}
      </fieldset>
    );
  }
  const shared = { id, name, required, ...described };
  const bounds = type === 'NUMBER' || type === 'DATE' ? { min: min ?? undefined, max: max ?? undefined } : {};
  const length = type === 'TEXT' || type === 'LONG_TEXT' ? { maxLength: max ? Number(max) : undefined } : {};
  return (
    <p>
      <label htmlFor={id}>
        {label}
        {hint}
      </label>{' '}
      {type === 'CHOICE' ? (
        <select {...shared}>
          <option value="" />
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : type === 'LONG_TEXT' ? (
        <textarea {...shared} {...length} />
      ) : (
        <input type={inputs[type] ?? 'text'} {...shared} {...bounds} {...length} />
      )}{' '}
      {problem}
    </p>
  );
}
