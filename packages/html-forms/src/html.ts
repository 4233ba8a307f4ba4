import escapeHtml from 'escape-html';

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Text is escaped; null, undefined and false produce nothing. */
type HtmlValue = string | number | Html | readonly HtmlValue[] | null | undefined | false;

export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  // not joined, which would copy a large page once for each template around it
  let text = strings[0] as string;
  for (const [index, value] of values.entries()) text += textOf(value) + strings[index + 1];
  return new Html(text);
}

function textOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(textOf).join('') : escapeHtml(String(value));
}
