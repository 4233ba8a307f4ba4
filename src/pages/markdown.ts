import { readMarkdown } from '../markdown/markdown.ts';
import { Html } from './html.ts';

/** What organizers write, as HTML (reference/pages.md#descriptions). */
export function markdown(text: string): Html {
  return new Html(readMarkdown(text).html);
}
