import escapeHtml from 'escape-html';
import { Parser, Renderer, type RendererObject, type Tokens } from 'marked';
import { parseMarkdown } from '../kernel/input/markdown.ts';
import { Html, html } from './html.ts';

/**
 * What organizers write, as HTML (interface/pages.md#descriptions): no HTML of theirs, no pictures from other sites, and links
 * that search engines do not count.
 */
export function markdown(text: string): Html {
  const tokens = parseMarkdown(text.replaceAll('\r\n', '\n'));
  if (tokens === null) return html`<p class="lines" dir="auto">${text}</p>`;
  return new Html(new Parser({ renderer: safeRenderer() }).parse(tokens));
}

function safeRenderer(): Renderer {
  const renderer = new Renderer();
  // the name of the event is the heading above; none is skipped on the way down
  let level = 1;
  const own: RendererObject & ThisType<Renderer> = {
    heading({ tokens, depth }) {
      level = Math.min(depth + 1, level + 1, 6);
      return `<h${level} dir="auto">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    paragraph({ tokens }) {
      return `<p dir="auto">${this.parser.parseInline(tokens)}</p>\n`;
    },
    link({ href, tokens }) {
      return link(href, this.parser.parseInline(tokens));
    },
    image({ href, text }) {
      return link(href, escapeHtml(text || href));
    },
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  };
  return Object.assign(renderer, own);
}

/** A link to the web or a mailbox; of any other scheme only the text stays. */
function link(href: string, text: string): string {
  const isSafe = URL.canParse(href) && ['http:', 'https:', 'mailto:'].includes(new URL(href).protocol);
  return isSafe ? `<a href="${escapeHtml(href)}" rel="nofollow noopener ugc">${text}</a>` : text;
}
