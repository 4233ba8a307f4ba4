export { readMarkdown } from './safe-markdown.ts';
