import { readMarkdown } from '../markdown/markdown.ts';
import { Html } from './html.ts';

export function markdown(text: string): Html {
  return new Html(readMarkdown(text).html);
}
