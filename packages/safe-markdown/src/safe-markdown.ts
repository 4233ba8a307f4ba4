import { LRUCache } from 'lru-cache';
import MarkdownIt, { type StateCore, type Token } from 'markdown-it';
import { textOfTokens } from './plain-text.ts';

export interface ReadMarkdown {
  /** Without elements, attributes or links of the author beyond those of Markdown. */
  html: string;
  /** Without markup; links keep their address. */
  plain: string;
}

const parser = new MarkdownIt({ html: false, linkify: true, breaks: true })
  // tables do not fit a phone; a reference could repeat a long address thousands of times; pictures become links, and without
  // their rule hostile brackets take half the time
  .disable(['table', 'reference', 'image']);
parser.linkify.add('//', null).add('ftp:', null);
// `shape` decides
parser.validateLink = () => true;
parser.linkify.add('www.', {
  validate: (text, at, linkify) => {
    const found = linkify.testSchemaAt(`http://www.${text.slice(at, at + 512)}`, 'http:', 'http:'.length);
    return Math.max(0, found - '//www.'.length);
  },
  normalize: (match) => {
    match.url = `http://${match.url}`;
  },
});
parser.core.ruler.push('shape', shape);

/** Parsing 20,000 characters takes up to 100 ms. */
const read = new LRUCache<string, ReadMarkdown>({
  maxSize: 16_000_000,
  sizeCalculation: ({ html, plain }, text) => html.length + plain.length + text.length + 1,
  memoMethod: (text) => {
    const tokens = parser.parse(text, {});
    return { html: parser.renderer.render(tokens, parser.options), plain: textOfTokens(tokens) };
  },
});

export function readMarkdown(text: string): ReadMarkdown {
  return read.memo(text);
}

function shape({ tokens, Token: Made }: StateCore): void {
  // the page has a heading above, and no level is skipped on the way down
  let level = 1;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') level = Math.min(Number(token.tag.slice(1)) + 1, level + 1, 6);
    if (token.type.startsWith('heading_')) token.tag = `h${level}`;
    if (token.type === 'heading_open' || token.type === 'paragraph_open') token.attrs = [['dir', 'auto']];
    // would become a class of the page
    if (token.type === 'fence') token.info = '';
    if (token.children) token.children = shapeLinks(token.children, Made);
    if (tokens[index - 2]?.type === 'list_item_open') markTask(token);
  }
}

/** Only to the web and mailboxes, and not counted by search engines. */
function shapeLinks(tokens: Token[], Made: typeof Token): Token[] {
  const shaped: Token[] = [];
  let link: Token | null = null;
  for (const token of tokens) {
    const before = shaped.at(-1);
    if (token.type === 'link_open') {
      link = limitLink(token);
      // the mark of a picture
      if (before?.type === 'text' && token.info !== 'auto') before.content = before.content.replace(/!$/, '');
    } else if (token.type === 'link_close' && link) {
      if (before === link) {
        const address = new Made('text', '', 0);
        address.content = String(link.attrGet('href'));
        shaped.push(address);
      }
      token.hidden = link.hidden;
    }
    shaped.push(token);
  }
  return shaped;
}

function limitLink(link: Token): Token {
  const href = String(link.attrGet('href'));
  link.hidden = !URL.canParse(href) || !['http:', 'https:', 'mailto:'].includes(new URL(href).protocol);
  link.attrs = [
    ['href', href],
    ['rel', 'nofollow noopener ugc'],
  ];
  return link;
}

/** Shows whether a task is done, at the start of a list item. */
function markTask({ children }: Token): void {
  const first = children?.[0];
  if (first && /^\[[ x]\] /i.test(first.content)) {
    first.content = `${first.content[1] === ' ' ? '☐' : '☑'}${first.content.slice(3)}`;
  }
}
