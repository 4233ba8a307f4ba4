import { type Html, html } from '../html.ts';
import type { Faults } from './faults.ts';
import { formField, personLabels } from './field.ts';
import { type Typed, typedText } from './typed.ts';

/** The field for the subscriber's name. */
export function nameField(typed: Typed, faults: Faults): Html {
  return formField(
    { name: 'name', label: personLabels.name, required: true, fault: faults.get('name') },
    ({ control, state }) =>
      html`<input${control} type="text" autocomplete="name" maxlength="400" value="${typedText(typed, 'name')}"${state}>`,
  );
}
