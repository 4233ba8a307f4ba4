import { describe, expect, it } from 'vitest';
import {
  checkboxField,
  choiceField,
  consentField,
  faultSummary,
  Html,
  html,
  inputField,
  textArea,
} from '../src/index.ts';

const hostile = '"><script>alert(1)</script>';
const escaped = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;';
const field = { name: 'answers.size', label: 'Size', required: true, fault: undefined };
const options = ['s', 'm', 'l'].map((value) => ({ value, label: value.toUpperCase() }));

describe('html', () => {
  it('escapes texts, joins lists, and leaves out what is absent', () => {
    const items = ['a', 'b'].map((each) => html`<li>${each}</li>`);
    expect(html`<p title="${hostile}">${1}${null}${undefined}${false}</p>${items}`.text).toBe(
      `<p title="${escaped}">1</p><li>a</li><li>b</li>`,
    );
    expect(html`${new Html('<b>')}`.text).toBe('<b>');
  });
});

describe('fields', () => {
  it('name their help and their fault to screen readers', () => {
    const input = { ...field, help: 'In centimetres.', bounds: 'At most 300.', fault: 'Too long.' };
    const { text } = inputField(input, html` type="text" value="${hostile}"`);
    expect(text).toContain('<label for="answers-size">');
    expect(text).toContain('aria-describedby="answers-size-help answers-size-fault" type="text"');
    expect(text).toContain('aria-required="true" aria-invalid="true"');
    expect(text).toContain('In centimetres.\nAt most 300.');
    expect(text).toContain(escaped);
  });

  it('say what is optional, and let a choice be taken back', () => {
    const optional = { ...field, required: false };
    expect(choiceField(optional, options, 'm').text).toMatch(/\(optional\).*value="m" checked.*No answer/s);
    expect(choiceField(field, options, 'm').text).not.toContain('No answer');
  });

  it('are a menu if the options are many', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ value: `${index}`, label: `${index}` }));
    expect(choiceField(field, many, '3').text).toContain('<option value="3" selected>');
  });

  it('take several options, or one consent', () => {
    const several = checkboxField(field, options, new Set(['s', 'l'])).text;
    expect(several.match(/ checked/g)).toHaveLength(2);
    expect(consentField(field, true).text).toContain('value="true" checked');
  });

  it('keep a line break at the start of a long text', () => {
    expect(textArea(field, '\nfirst').text).toContain('>\n\nfirst</textarea>');
  });
});

it('a summary of faults leads to their fields', () => {
  expect(faultSummary(new Map(), {})).toBeNull();
  const faults = new Map([['answers.size', 'Too long.']]);
  expect(faultSummary(faults, { 'answers.size': 'Size' })?.text).toContain(
    '<h2>One field needs your attention</h2><ul><li><a href="#answers-size">Size</a><br>Too long.</li></ul>',
  );
});
