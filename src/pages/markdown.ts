import { Html } from '#html-forms';
import { readMarkdown } from '#safe-markdown';

export function markdown(text: string): Html {
  return new Html(readMarkdown(text).html);
}
