export {
  checkboxField,
  choiceField,
  consentField,
  type FieldInput,
  faultSummary,
  inputField,
  textArea,
} from './field.ts';
export { Html, html } from './html.ts';
