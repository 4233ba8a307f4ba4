import type { Response } from 'express';
import { type Html, html } from '../pages/html.ts';
import { sendPage } from '../pages/html-page.ts';

interface BundlePage {
  title: string;
  /** Which scripts, styles and workers the page may use, as directives of its policy. */
  sources: readonly string[];
  /** What the script reads. */
  settings: object;
  head: string;
  body: string;
}

/** Sends a page whose scripts are in the bundle. They may call this service alone. */
export function sendBundlePage(response: Response, { title, sources, settings, head, body }: BundlePage): void {
  response.set({
    'content-security-policy': [
      "default-src 'none'",
      ...sources,
      'font-src data:',
      'img-src data:',
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  });
  // in JSON, `<` can only be part of a string
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  response.type('html').send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,">
<script type="application/json" id="settings">${json}</script>${head}</head>
<body>${body}</body>
</html>
`);
}

/** Says that no bundle was built. @param built when `npm ci` does not build it; @param without what works all the same */
export function sendMissing(response: Response, what: string, built: Html, without: Html): void {
  const title = `${what} is not built`;
  const body = html`<main><h1>${title}</h1>
<p>Its files are in <code>dist/explorer</code> of a release, and <code>npm ci</code> builds them, but not ${built}. Copy that folder here, or install all packages and run this command. The service does not have to be restarted.</p>
<pre>npm run explorer</pre>
<p>${without}</p></main>`;
  sendPage(response, { title, body, status: 503 });
}
