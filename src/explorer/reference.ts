import { randomBytes } from 'node:crypto';
import express, { type Response, type Router } from 'express';
import { html } from '../pages/html.ts';
import { sendPage } from '../pages/html-page.ts';
import { onlyAllows } from '../pages/only-allows.ts';
import { type Bundle, bundleFolder, readBundle } from './bundle.ts';
import { bundleAssets } from './explorer.ts';
import type { DemoSignIn } from './page-settings.ts';

export interface ReferenceOptions {
  demo: readonly DemoSignIn[];
  /** The folder of the bundle; by default where `npm run explorer` puts it. */
  folder?: string;
}

/** The REST reference at `/reference`: `openapi.json`, rendered by Scalar, with our door to sign in (note 0066). */
export function referencePage({ demo, folder = bundleFolder }: ReferenceOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/reference', async (_request, response) => {
    const bundle = await readBundle(folder);
    if (!bundle) return sendMissing(response);
    const nonce = randomBytes(16).toString('base64');
    response.set({
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    });
    response.type('html').send(page(bundle.reference, nonce, { base: './', demo }));
  });
  router.use(bundleAssets('/reference', folder));
  router.all('/reference', onlyAllows('GET, HEAD'));
  return router;
}

/** Scripts and style elements need the nonce of the request, and only this service may be called. Scalar sets style attributes. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

interface ReferenceSettings {
  /** The path of the service, relative to the page, with a slash at the end. */
  base: string;
  demo: readonly DemoSignIn[];
}

function page(
  { nonce: first, script, style }: Bundle['reference'],
  nonce: string,
  settings: ReferenceSettings,
): string {
  // in JSON, `<` can only be part of a string
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  const assets = 'reference/assets/';
  const scripts = [first, script].map((name) => `<script defer src="${assets}${name}" nonce="${nonce}"></script>`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Events Gateway: REST reference</title><link rel="icon" href="data:,">
<meta property="csp-nonce" content="${nonce}"><link rel="stylesheet" href="${assets}${style}">
<script type="application/json" id="settings" nonce="${nonce}">${json}</script>
${scripts.join('')}</head>
<body><div id="door"></div><div id="reference"></div><noscript>The reference needs JavaScript; <a href="openapi.json">openapi.json</a> does not.</noscript></body>
</html>
`;
}

function sendMissing(response: Response): void {
  const body = html`<main><h1>The reference is not built</h1>
<p>Its files are in <code>dist/explorer</code> of a release, and <code>npm ci</code> builds them, but not without the development packages. Copy that folder here, or install all packages and run this command. The service does not have to be restarted.</p>
<pre>npm run explorer</pre>
<p>The <a href="openapi.json">OpenAPI document</a> that it shows works without it.</p></main>`;
  sendPage(response, { title: 'The reference is not built', body, status: 503 });
}
