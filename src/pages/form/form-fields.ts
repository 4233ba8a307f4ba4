import { isTurnOver, nextTurn } from '#fair-turns';
import {
  checkboxField,
  choiceField,
  consentField,
  type FieldInput,
  faultSummary,
  Html,
  html,
  inputField,
  textArea,
} from '#html-forms';
import { longest, type Question } from '../../domain/form/question.ts';
import { type Faults, fieldName, type Typed, typedText } from './filled-form.ts';

export const personLabels = { name: 'Your name', email: 'Your e-mail address' };

export function nameField(typed: Typed, faults: Faults): Html {
  return inputField(
    { name: 'name', label: personLabels.name, required: true, fault: faults.get('name') },
    html` type="text" autocomplete="name" maxlength="400" value="${typedText(typed, 'name')}"`,
  );
}

/** For the top of a page. */
export function summaryOf(faults: Faults, questions: readonly Question[]): Html | null {
  const ofQuestions = Object.fromEntries(questions.map((each) => [fieldName(each), each.label]));
  return faultSummary(faults, { ...personLabels, ...ofQuestions });
}

/** A form may be a megabyte long, so this yields to other work between questions. */
export async function questionFields(questions: readonly Question[], typed: Typed, faults: Faults): Promise<Html> {
  const fields: string[] = [];
  for (const question of questions) {
    if (isTurnOver()) await nextTurn();
    fields.push(questionField(question, typed, faults.get(fieldName(question))).text);
  }
  return new Html(fields.join(''));
}

function questionField(question: Question, typed: Typed, fault: string | undefined): Html {
  const { type, label, help, required = false, options = [] } = question;
  const name = fieldName(question);
  const input: FieldInput = { name, label, help, bounds: boundsOf(question), required, fault };
  const value = typedText(typed, name);
  switch (type) {
    case 'text':
    case 'email':
    case 'url':
      return inputField(input, html` type="${type}" value="${value}"`);
    case 'number':
      return inputField(input, html` type="text" inputmode="${inputMode(question)}" class="short" value="${value}"`);
    case 'date': {
      const bounds = html`${question.min && html` min="${question.min}"`}${question.max && html` max="${question.max}"`}`;
      return inputField(input, html` type="date" class="short" value="${value}"${bounds}`);
    }
    case 'long_text':
      return textArea(input, value);
    case 'choice':
      return choiceField(input, options, value);
    case 'choices':
      return checkboxField(input, options, new Set(typed.get(name)));
    case 'consent':
      return consentField(input, value === 'true');
  }
}

function inputMode({ min }: Question): string {
  // the numeric keyboards of some phones have no minus sign
  return typeof min === 'number' && min >= 0 ? 'decimal' : 'text';
}

function boundsOf({ type, min, max, options = [] }: Question): string | null {
  switch (type) {
    case 'text':
    case 'long_text':
      return range(min, max === longest[type] ? undefined : max, 'characters');
    case 'number':
      return range(min, max, '');
    case 'choices':
      return range(min === 0 ? undefined : min, max === options.length ? undefined : max, 'options', 'Choose ');
    default:
      return null;
  }
}

type Bound = Question['min'];

function range(min: Bound, max: Bound, unit: string, verb = ''): string | null {
  const sentence = (text: string) => {
    const words = `${verb}${text}${unit && ` ${unit}`}.`;
    return `${words[0]?.toUpperCase()}${words.slice(1)}`;
  };
  if (min === undefined) return max === undefined ? null : sentence(`at most ${max}`);
  if (max === undefined) return sentence(`at least ${min}`);
  return sentence(min === max ? `exactly ${min}` : `from ${min} to ${max}`);
}
