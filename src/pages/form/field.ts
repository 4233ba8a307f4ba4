import type { Question } from '../../domain/form/question.ts';
import { type Html, html } from '../html.ts';
import type { Faults } from './faults.ts';
import { fieldName, type Typed, typedText } from './typed.ts';

export interface FieldInput {
  name: string;
  label: string;
  help?: string | undefined;
  bounds?: string | null;
  required: boolean;
  fault: string | undefined;
}

export const personLabels = { name: 'Your name', email: 'Your e-mail address' };

/** For the label, and for links in the list of faults. */
export const fieldId = (name: string): string => name.replace('.', '-');

export interface ControlAttributes {
  /** `id`, `name` and `aria-describedby`. */
  control: Html;
  /** `aria-required` and `aria-invalid`. */
  state: Html;
}

/** A screen reader reads label, help and fault. */
export function formField(input: FieldInput, control: (attributes: ControlAttributes) => Html): Html {
  const id = fieldId(input.name);
  return html`<div class="field"><label for="${id}">${labelOf(input)}</label>${notes(input)}${control({
    control: html` id="${id}" name="${input.name}"${describedBy(input)}`,
    state: state(input),
  })}</div>`;
}

/** Controls that form one field; the first has the field's id. */
export function fieldGroup(input: FieldInput, role: 'group' | 'radiogroup', controls: readonly Html[]): Html {
  const ariaState = role === 'radiogroup' ? state(input) : null;
  return html`<fieldset class="field" role="${role}"${describedBy(input)}${ariaState}><legend>${labelOf(input)}</legend>${notes(input)}${controls}</fieldset>`;
}

export function notes({ name, help, bounds, fault }: FieldInput): Html {
  const id = fieldId(name);
  const hint = [help, bounds].filter(Boolean).join('\n');
  return html`${hint !== '' && html`<p class="help lines" id="${id}-help">${hint}</p>`}${
    fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`
  }`;
}

export function describedBy({ name, help, bounds, fault }: FieldInput): Html | null {
  const id = fieldId(name);
  const ids = [...(help || bounds ? [`${id}-help`] : []), ...(fault === undefined ? [] : [`${id}-fault`])];
  return ids.length === 0 ? null : html` aria-describedby="${ids.join(' ')}"`;
}

export function state({ required, fault }: FieldInput): Html {
  return html`${required && html` aria-required="true"`}${fault !== undefined && html` aria-invalid="true"`}`;
}

/** Isolated, so that its text direction does not affect the text after it. */
export function labelOf({ label, required }: Pick<FieldInput, 'label' | 'required'>): Html {
  return html`<bdi>${label}</bdi>${!required && html` <span class="soft">(optional)</span>`}`;
}

export function nameField(typed: Typed, faults: Faults): Html {
  return formField(
    { name: 'name', label: personLabels.name, required: true, fault: faults.get('name') },
    ({ control, state }) =>
      html`<input${control} type="text" autocomplete="name" maxlength="400" value="${typedText(typed, 'name')}"${state}>`,
  );
}

/** With links to the fields, for the top of a page. It gets the focus. */
export function faultSummary(faults: Faults, questions: readonly Question[]): Html | null {
  if (faults.size === 0) return null;
  const ofQuestions = Object.fromEntries(questions.map((each) => [fieldName(each), each.label]));
  const labels: Record<string, string> = { ...personLabels, ...ofQuestions };
  const title = faults.size === 1 ? 'One field needs your attention' : `${faults.size} fields need your attention`;
  const items = [...faults].map(
    ([name, fault]) => html`<li><a href="#${fieldId(name)}">${labels[name] ?? name}</a><br>${fault}</li>`,
  );
  return html`<div class="notice bad" role="alert" id="outcome" tabindex="-1"><h2>${title}</h2><ul>${items}</ul></div>`;
}
