import { longest, type Question } from '../../domain/form/question.ts';
import { isTurnOver, nextTurn } from '../../kernel/pace.ts';
import { Html, html } from '../html.ts';
import type { Faults } from './faults.ts';
import { describedBy, type FieldInput, fieldGroup, fieldId, formField, labelOf, notes, state } from './field.ts';
import { fieldName, type Typed, typedText } from './typed.ts';

const maxRadios = 8;

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
      return simple(input, html` type="text" value="${value}"`);
    case 'number':
      return simple(input, html` type="text" inputmode="${inputMode(question)}" class="short" value="${value}"`);
    case 'email':
      return simple(input, html` type="email" value="${value}"`);
    case 'url':
      return simple(input, html` type="url" value="${value}"`);
    case 'date': {
      const bounds = html`${question.min && html` min="${question.min}"`}${question.max && html` max="${question.max}"`}`;
      return simple(input, html` type="date" class="short" value="${value}"${bounds}`);
    }
    case 'long_text':
      // the HTML parser drops a line break at the start
      return formField(
        input,
        (attributes) => html`<textarea${attributes.control}${attributes.state}>${'\n'}${value}</textarea>`,
      );
    case 'choice':
      return options.length > maxRadios ? menu(input, options, value) : radios(input, options, value);
    case 'choices':
      return checkboxes(input, options, new Set(typed.get(name)));
    case 'consent':
      return consent(input, value === 'true');
  }
}

type Options = NonNullable<Question['options']>;

function simple(input: FieldInput, own: Html): Html {
  return formField(input, (attributes) => html`<input${attributes.control}${own}${attributes.state}>`);
}

function menu(input: FieldInput, options: Options, chosen: string): Html {
  const items = options.map(
    ({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  );
  return formField(
    input,
    (attributes) =>
      html`<select${attributes.control}${attributes.state}><option value="">Please choose</option>${items}</select>`,
  );
}

function radios(input: FieldInput, options: Options, chosen: string): Html {
  // a radio button cannot be cleared
  const all = input.required ? options : [...options, { value: '', label: 'No answer' }];
  return fieldGroup(
    input,
    'radiogroup',
    all.map((option, index) => check(input, 'radio', option, index, option.value === chosen)),
  );
}

function checkboxes(input: FieldInput, options: Options, chosen: ReadonlySet<string>): Html {
  return fieldGroup(
    input,
    'group',
    options.map((option, index) => check(input, 'checkbox', option, index, chosen.has(option.value))),
  );
}

function check(
  { name, fault }: FieldInput,
  type: 'radio' | 'checkbox',
  { value, label }: Options[number],
  index: number,
  checked: boolean,
): Html {
  const id = index === 0 ? fieldId(name) : `${fieldId(name)}-${index}`;
  const wrong = type === 'checkbox' && fault !== undefined && html` aria-invalid="true"`;
  const on = checked && html` checked`;
  return html`<label class="check"><input type="${type}" id="${id}" name="${name}" value="${value}"${on}${wrong}> <span>${label}</span></label>`;
}

function consent(input: FieldInput, checked: boolean): Html {
  const id = fieldId(input.name);
  const on = checked && html` checked`;
  return html`<div class="field">${notes(input)}<label class="check"><input type="checkbox" id="${id}" name="${input.name}" value="true"${on}${describedBy(input)}${state(input)}> <span>${labelOf(input)}</span></label></div>`;
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
