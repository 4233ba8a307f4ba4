import { hash } from 'node:crypto';
import type { Response } from 'express';
import { Html, html } from '#html-forms';
import { allowCaching, type SharedResponse } from '../http/shared-response.ts';
import { accentStyle } from './accent-style.ts';
import { style } from './style.ts';

export interface HtmlPage {
  title: string;
  head?: Html;
  body: Html;
  accent?: string | null;
  /** The same for every request, since the policy contains its hash. */
  script?: string;
  status?: number;
  /** Whether the browser submits forms of the page without a script. */
  sendsForms?: boolean;
  /** If anyone may see and cache the page; other pages are neither cached nor indexed. */
  shared?: SharedResponse;
}

const sha256 = (text: string) => hash('sha256', text, 'base64');
const styleHash = sha256(style);

/**
 * What a page without a script may do: send forms, follow links, and download files. If HTML of an author ever got into a page,
 * it could take nobody elsewhere without a click. `autofocus` does not work either.
 */
const sandbox =
  'sandbox allow-forms allow-same-origin allow-downloads allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

/** The page may only run its own script and call the service, and must not be framed. */
function policy({ script, accent, sendsForms = false }: HtmlPage): string {
  const sources = script === undefined ? "'none'" : `'sha256-${sha256(script)}'`;
  return [
    "default-src 'none'",
    `script-src ${sources}`,
    `style-src 'sha256-${styleHash}'${accent ? ` 'sha256-${sha256(accentStyle(accent))}'` : ''}`,
    "connect-src 'self'",
    'img-src data:',
    "frame-src 'self'",
    "base-uri 'none'",
    `form-action ${sendsForms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    ...(script === undefined ? [sandbox] : []),
  ].join('; ');
}

/** The page never sends its URL, which may contain a token, to another site. */
export function sendPage(response: Response, page: HtmlPage): void {
  const { title, head, body, accent, script, status = 200, shared } = page;
  response.status(status).set({
    'content-security-policy': policy(page),
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  });
  // browsers refuse a page that has both this and a sandbox
  if (script !== undefined) response.set('cross-origin-opener-policy', 'same-origin');
  if (shared) allowCaching(response, shared);
  else response.set({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  const text = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,">${head}<style>${new Html(style)}</style>${accent && html`<style>${new Html(accentStyle(accent))}</style>`}</head>
<body>${body}${script !== undefined && html`<script>${new Html(script)}</script>`}</body>
</html>
`;
  response.type('html').send(text.text);
}
