import { Marked, type Token, type Tokens } from 'marked';

/**
 * The parser takes time that grows with the square of a paragraph, so longer texts are shown as they are: no text may hold up
 * the process (note 0070).
 */
const longest = { text: 8_000, paragraph: 1_500 };

const marked = new Marked({
  gfm: true,
  breaks: true,
  // tables do not fit a phone
  tokenizer: { table: () => undefined },
});

/** The parts of a text in Markdown; null if it is shown as it is: too long, or too deeply nested. */
export function parseMarkdown(text: string): Token[] | null {
  if (text.length > longest.text) return null;
  if (text.split(/\n[^\S\n]*\n/).some(({ length }) => length > longest.paragraph)) return null;
  try {
    return marked.lexer(text);
  } catch (error) {
    // nested so deeply that the stack overflows
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A text in Markdown as plain text, for previews and calendars: links keep their address. */
export function plainMarkdown(text: string): string {
  const tokens = parseMarkdown(text);
  return tokens === null ? text : blocks(tokens).trim();
}

function blocks(tokens: readonly Token[]): string {
  return tokens.map((token) => block(token as Tokens.Generic)).join('');
}

function block(token: Tokens.Generic): string {
  switch (token.type) {
    case 'space':
    case 'def':
      return '';
    case 'hr':
      return '—\n\n';
    case 'code':
      return `${token.text}\n\n`;
    case 'list':
      return `${(token as Tokens.List).items.map((item, index) => listItem(item, token as Tokens.List, index)).join('')}\n`;
    case 'blockquote':
      return blocks(token.tokens ?? []);
    default:
      return `${inline(token)}\n\n`;
  }
}

function listItem({ tokens }: Tokens.ListItem, { ordered, start }: Tokens.List, index: number): string {
  const mark = ordered ? `${Number(start || 1) + index}. ` : '- ';
  return `${mark}${blocks(tokens).trim().replace(/\n+/g, '\n  ')}\n`;
}

/** What a part says, without its marks. */
function inline(token: Tokens.Generic): string {
  const said = token.tokens ? token.tokens.map((each) => inline(each as Tokens.Generic)).join('') : (token.text ?? '');
  if (token.type === 'br') return '\n';
  if (token.type === 'link' && said !== token.href && `mailto:${said}` !== token.href) return `${said} (${token.href})`;
  return said;
}
