import { randomBytes } from 'node:crypto';
import express, { type Router } from 'express';
import { html } from '../pages/html.ts';
import { onlyAllows } from '../pages/only-allows.ts';
import { bundleFolder, readBundle } from './bundle.ts';
import { sendBundlePage, sendMissing } from './bundle-page.ts';
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
    if (!bundle) {
      const document = html`The <a href="openapi.json">OpenAPI document</a> that it shows works without it.`;
      return sendMissing(response, 'The reference', html`without the development packages`, document);
    }
    const nonce = randomBytes(16).toString('base64');
    const assets = 'reference/assets/';
    const scripts = [bundle.reference.nonce, bundle.reference.script];
    response.set('cache-control', 'no-store');
    sendBundlePage(response, {
      title: 'Events Gateway: REST reference',
      // Scalar sets style attributes
      sources: [`script-src 'nonce-${nonce}'`, `style-src 'self' 'nonce-${nonce}'`, "style-src-attr 'unsafe-inline'"],
      settings: { base: './', demo },
      head: `<meta property="csp-nonce" content="${nonce}"><link rel="stylesheet" href="${assets}${bundle.reference.style}">
${scripts.map((name) => `<script defer src="${assets}${name}" nonce="${nonce}"></script>`).join('')}`,
      body: '<div id="door"></div><div id="reference"></div><noscript>The reference needs JavaScript; <a href="openapi.json">openapi.json</a> does not.</noscript>',
    });
  });
  router.use(bundleAssets('/reference', folder));
  router.all('/reference', onlyAllows('GET, HEAD'));
  return router;
}
