import { type Html, html } from './html.ts';

export interface FieldInput {
  name: string;
  label: string;
  help?: string | undefined;
  /** A sentence about what is accepted, after the help. */
  bounds?: string | null;
  required: boolean;
  fault: string | undefined;
}

/** For the label, and for links in the list of faults. */
const fieldId = (name: string): string => name.replace('.', '-');

function formField(input: FieldInput, control: Html): Html {
  return html`<div class="field"><label for="${fieldId(input.name)}">${labelOf(input)}</label>${notes(input)}${control}</div>`;
}

/** Those of a control: a screen reader reads label, help and fault. */
function attributes(input: FieldInput, own: Html | null = null): Html {
  return html` id="${fieldId(input.name)}" name="${input.name}"${describedBy(input)}${own}${state(input)}`;
}

/** @param own attributes of the `input`, such as its type and value */
export function inputField(input: FieldInput, own: Html): Html {
  return formField(input, html`<input${attributes(input, own)}>`);
}

export function textArea(input: FieldInput, value: string): Html {
  // the HTML parser drops a line break at the start
  return formField(input, html`<textarea${attributes(input)}>${'\n'}${value}</textarea>`);
}

interface FieldOption {
  value: string;
  label: string;
}

type Options = readonly FieldOption[];

const maxRadios = 8;

/** Radio buttons, or a menu of many options. */
export function choiceField(input: FieldInput, options: Options, chosen: string): Html {
  if (options.length > maxRadios) return menu(input, options, chosen);
  // a radio button cannot be cleared
  const all = input.required ? options : [...options, { value: '', label: 'No answer' }];
  return fieldGroup(
    input,
    'radiogroup',
    all.map((option, index) => check(input, 'radio', option, index, option.value === chosen)),
  );
}

function menu(input: FieldInput, options: Options, chosen: string): Html {
  const items = options.map(
    ({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  );
  const none = html`<option value="">Please choose</option>`;
  return formField(input, html`<select${attributes(input)}>${none}${items}</select>`);
}

export function checkboxField(input: FieldInput, options: Options, chosen: ReadonlySet<string>): Html {
  return fieldGroup(
    input,
    'group',
    options.map((option, index) => check(input, 'checkbox', option, index, chosen.has(option.value))),
  );
}

/** One checkbox, whose label is that of the field. */
export function consentField(input: FieldInput, checked: boolean): Html {
  const id = fieldId(input.name);
  const on = checked && html` checked`;
  return html`<div class="field">${notes(input)}<label class="check"><input type="checkbox" id="${id}" name="${input.name}" value="true"${on}${describedBy(input)}${state(input)}> <span>${labelOf(input)}</span></label></div>`;
}

/** With links to the fields, for the top of a page. It gets the focus. @param faults by the name of the field */
export function faultSummary(
  faults: ReadonlyMap<string, string>,
  labels: Readonly<Record<string, string>>,
): Html | null {
  if (faults.size === 0) return null;
  const title = faults.size === 1 ? 'One field needs your attention' : `${faults.size} fields need your attention`;
  const items = [...faults].map(
    ([name, fault]) => html`<li><a href="#${fieldId(name)}">${labels[name] ?? name}</a><br>${fault}</li>`,
  );
  return html`<div class="notice bad" role="alert" id="outcome" tabindex="-1"><h2>${title}</h2><ul>${items}</ul></div>`;
}

/** Controls that form one field; the first has the field's id. */
function fieldGroup(input: FieldInput, role: 'group' | 'radiogroup', controls: readonly Html[]): Html {
  const ariaState = role === 'radiogroup' ? state(input) : null;
  return html`<fieldset class="field" role="${role}"${describedBy(input)}${ariaState}><legend>${labelOf(input)}</legend>${notes(input)}${controls}</fieldset>`;
}

function check(
  { name, fault }: FieldInput,
  type: 'radio' | 'checkbox',
  { value, label }: FieldOption,
  index: number,
  checked: boolean,
): Html {
  const id = index === 0 ? fieldId(name) : `${fieldId(name)}-${index}`;
  const wrong = type === 'checkbox' && fault !== undefined && html` aria-invalid="true"`;
  const on = checked && html` checked`;
  return html`<label class="check"><input type="${type}" id="${id}" name="${name}" value="${value}"${on}${wrong}> <span>${label}</span></label>`;
}

function notes({ name, help, bounds, fault }: FieldInput): Html {
  const id = fieldId(name);
  const hint = [help, bounds].filter(Boolean).join('\n');
  return html`${hint !== '' && html`<p class="help lines" id="${id}-help">${hint}</p>`}${
    fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`
  }`;
}

function describedBy({ name, help, bounds, fault }: FieldInput): Html | null {
  const id = fieldId(name);
  const ids = [...(help || bounds ? [`${id}-help`] : []), ...(fault === undefined ? [] : [`${id}-fault`])];
  return ids.length === 0 ? null : html` aria-describedby="${ids.join(' ')}"`;
}

function state({ required, fault }: FieldInput): Html {
  return html`${required && html` aria-required="true"`}${fault !== undefined && html` aria-invalid="true"`}`;
}

/** Isolated, so that its text direction does not affect the text after it. */
function labelOf({ label, required }: Pick<FieldInput, 'label' | 'required'>): Html {
  return html`<bdi>${label}</bdi>${!required && html` <span class="soft">(optional)</span>`}`;
}
