import { readMarkdown } from '#safe-markdown';
import { Html } from './html.ts';

export function markdown(text: string): Html {
  return new Html(readMarkdown(text).html);
}
