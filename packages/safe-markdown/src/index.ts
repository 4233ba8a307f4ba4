export { oneLine, plainText } from './one-line.ts';
export { readMarkdown } from './safe-markdown.ts';
