import escapeHtml from 'escape-html';

/** A piece of HTML, as opposed to a text that somebody wrote. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: texts are escaped, and nothing is written for null, undefined and false. */
export type HtmlValue = string | number | Html | readonly HtmlValue[] | null | undefined | false;

/** A template whose values are escaped unless they are HTML themselves. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.map((part, index) => part + textOf(values[index])).join(''));
}

function textOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(textOf).join('') : escapeHtml(String(value));
}
