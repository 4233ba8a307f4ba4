import { type Html, html } from '../html.ts';
import type { Faults } from './faults.ts';

/** A form as it is shown: what stands in its fields, and what is wrong with them. */
export interface FieldInput {
  name: string;
  label: string;
  help?: string | undefined;
  /** The bounds of what can be entered, in words. */
  bounds?: string | null;
  required: boolean;
  fault: string | undefined;
}

/** The id of a field, to which its label and the list of faults lead. */
export const fieldId = (name: string): string => name.replace('.', '-');

/** The attributes that a control needs besides its own. */
export interface ControlAttributes {
  /** Its id, its name, and what describes it. */
  control: Html;
  /** What says that it is required, or wrong. */
  state: Html;
}

/** A field with its label, help and fault, of which a screen reader reads all. */
export function field(input: FieldInput, control: (attributes: ControlAttributes) => Html): Html {
  const id = fieldId(input.name);
  return html`<div class="field"><label for="${id}">${labelOf(input)}</label>${notes(input)}${control({
    control: html` id="${id}" name="${input.name}"${describedBy(input)}`,
    state: state(input),
  })}</div>`;
}

/** Several controls that are one field. The first of them has the id of the field. */
export function fieldGroup(input: FieldInput, role: 'group' | 'radiogroup', controls: readonly Html[]): Html {
  const said = role === 'radiogroup' ? state(input) : null;
  return html`<fieldset class="field" role="${role}"${describedBy(input)}${said}><legend>${labelOf(input)}</legend>${notes(input)}${controls}</fieldset>`;
}

/** What help and fault stand between a label and its control. */
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

/** The label of a field, whose direction must not turn around what follows. */
export function labelOf({ label, required }: Pick<FieldInput, 'label' | 'required'>): Html {
  return html`<bdi>${label}</bdi>${!required && html` <span class="soft">(optional)</span>`}`;
}

/** All faults at the top of a page, with links to their fields; it gets the focus. */
export function faultSummary(faults: Faults, labels: ReadonlyMap<string, string>): Html | null {
  if (faults.size === 0) return null;
  const title = faults.size === 1 ? 'One field needs your attention' : `${faults.size} fields need your attention`;
  const items = [...faults].map(
    ([name, fault]) => html`<li><a href="#${fieldId(name)}">${labels.get(name) ?? name}</a><br>${fault}</li>`,
  );
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus><h2>${title}</h2><ul>${items}</ul></div>`;
}
