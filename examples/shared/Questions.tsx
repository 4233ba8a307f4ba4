import { answersOf, type FieldError, useFormErrors } from 'events-gateway-client/react';
import { type FormEvent, useId } from 'react';

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

/** Asks the questions of a form. The browser checks what it can, the service everything. */
export function Questions({
  form,
  hidden,
  error,
  onAnswer,
}: {
  form: Form;
  /** While the answer that is expected says that nothing is left to ask; what was typed stays. */
  hidden: boolean;
  /** What the last answers were refused with. */
  error: unknown;
  onAnswer(given: Answered): void;
}) {
  const errors = useFormErrors(
    error,
    form.questions.map(({ key }) => `/answers/${key}`),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const answers = answersOf(form.questions, new FormData(event.currentTarget));
    onAnswer({ answers, formVersion: form.version });
  };
  return (
    <form className="card" hidden={hidden} onSubmit={submit}>
      {form.questions.map((each) => (
        <Field key={each.key} question={each} error={errors.field(`/answers/${each.key}`)} />
      ))}
      {errors.message && <p role="alert">{errors.message}</p>}
      <button type="submit">Send answers</button>
    </form>
  );
}

const inputs: Partial<Record<Question['type'], string>> = {
  NUMBER: 'number',
  DATE: 'date',
  EMAIL: 'email',
  URL: 'url',
};

function Field({ question, error }: { question: Question; error: FieldError }) {
  const { key: name, type, label, help, required, min, max, options } = question;
  const id = useId();
  const hint = help && <small> {help}</small>;
  const problem = error.message && (
    <small role="alert" id={error.id}>
      {error.message}
    </small>
  );
  if (type === 'CHOICES') {
    return (
      <fieldset {...error.props}>
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
  const shared = { id, name, required, ...error.props };
  if (type === 'CONSENT') {
    return (
      <p>
        <label>
          <input type="checkbox" {...shared} /> {label}
          {hint}
        </label>
        {problem}
      </p>
    );
  }
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
