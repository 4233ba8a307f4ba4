import type { Question } from '../../domain/form/question.ts';
import { type Html, html } from '../html.ts';
import type { Faults } from './faults.ts';
import { fieldName } from './typed.ts';

/** A field as it is shown. */
export interface FieldInput {
  name: string;
  label: string;
  help?: string | undefined;
  /** The limits of the value, in words. */
  bounds?: string | null;
  required: boolean;
  fault: string | undefined;
}

/** The labels of the fields that every subscription has. */
export const personLabels = { name: 'Your name', email: 'Your e-mail address' };

/** The id of a field, for its label and for the links in the list of faults. */
export const fieldId = (name: string): string => name.replace('.', '-');

/** The attributes that a control gets besides its own. */
export interface ControlAttributes {
  /** `id`, `name` and `aria-describedby`. */
  control: Html;
  /** `aria-required` and `aria-invalid`. */
  state: Html;
}

/** A field with its label, help and fault; a screen reader reads them all. */
export function formField(input: FieldInput, control: (attributes: ControlAttributes) => Html): Html {
  const id = fieldId(input.name);
  return html`<div class="field"><label for="${id}">${labelOf(input)}</label>${notes(input)}${control({
    control: html` id="${id}" name="${input.name}"${describedBy(input)}`,
    state: state(input),
  })}</div>`;
}

/** Several controls that form one field. The first one has the field's id. */
export function fieldGroup(input: FieldInput, role: 'group' | 'radiogroup', controls: readonly Html[]): Html {
  const ariaState = role === 'radiogroup' ? state(input) : null;
  return html`<fieldset class="field" role="${role}"${describedBy(input)}${ariaState}><legend>${labelOf(input)}</legend>${notes(input)}${controls}</fieldset>`;
}

/** The help and the fault, between a label and its control. */
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

/** The label of a field, isolated so that its text direction does not affect the text after it. */
export function labelOf({ label, required }: Pick<FieldInput, 'label' | 'required'>): Html {
  return html`<bdi>${label}</bdi>${!required && html` <span class="soft">(optional)</span>`}`;
}

/** All faults of a form, with links to their fields, for the top of a page. It gets the focus. */
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
