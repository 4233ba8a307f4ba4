import path from 'node:path';
import express, { type RequestHandler, type Response, type Router } from 'express';
import { DomainError } from '../kernel/errors.ts';
import { html } from '../pages/html.ts';
import { sendPage } from '../pages/html-page.ts';
import { onlyAllows } from '../pages/only-allows.ts';
import { type Bundle, bundleFolder, readBundle } from './bundle.ts';
import type { PageSettings } from './page-settings.ts';

export interface ExplorerOptions extends Pick<PageSettings, 'demo' | 'maxCost' | 'twins'> {
  /** The folder of the bundle; by default where `npm run explorer` puts it. */
  folder?: string;
}

/** GraphiQL in our own page, at `/graphql`. Its files are read from disk; nothing is kept in memory. */
export function explorerPage({ folder = bundleFolder, ...settings }: ExplorerOptions): RequestHandler {
  return async (request, response) => {
    const bundle = await readBundle(folder);
    if (!bundle) return sendMissing(response);
    // relative, since a proxy may serve this below a path that it strips
    const inside = request.path.endsWith('/');
    const places = { assets: inside ? 'assets/' : 'graphql/assets/', base: inside ? '../' : './' };
    response.set({
      'content-security-policy': policy(bundle),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    });
    response.type('html').send(page(bundle, { ...settings, ...places, workers: bundle.workers }));
  };
}

/** Only our script may run, and only this service may be called. Monaco sets styles from its script. */
function policy({ scriptHash }: Bundle): string {
  return [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    'font-src data:',
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function page({ script, scriptHash, style }: Bundle, settings: PageSettings): string {
  // in JSON, `<` can only be part of a string
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  const { assets } = settings;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Events Gateway: GraphiQL</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}${style}"><script type="application/json" id="settings">${json}</script>
<script defer src="${assets}${script}" integrity="${scriptHash}"></script></head>
<body><div id="root"><noscript>GraphiQL needs JavaScript.</noscript></div></body>
</html>
`;
}

function sendMissing(response: Response): void {
  const body = html`<main><h1>GraphiQL is not built</h1>
<p>Its files are in <code>dist/explorer</code> of a release, and <code>npm ci</code> builds them, but not without the development packages or with <code>--ignore-scripts</code>. Copy that folder here, or install all packages and run this command. The service does not have to be restarted.</p>
<pre>npm run explorer</pre>
<p>Everything else works without it: GraphQL clients at this address, and the REST interface.</p></main>`;
  sendPage(response, { title: 'GraphiQL is not built', body, status: 503 });
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The files of the bundle, below either page. Their names contain a hash of their content, so they never change. */
export function bundleAssets(base: '/graphql' | '/reference', folder = bundleFolder): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get(`${base}/assets/:name`, (request, response, next) => {
    const { name } = request.params;
    const type = types[path.extname(name)];
    if (!/^[\w.-]+$/.test(name) || !type) throw new DomainError('NOT_FOUND');
    const encoding = request.acceptsEncodings(['br', 'gzip', 'identity']);
    const suffix = { br: '.br', gzip: '.gz' }[String(encoding)] ?? '';
    response.vary('accept-encoding').set({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      // for workers, which only compute and make no requests
      'content-security-policy': "default-src 'none'",
    });
    if (suffix) response.set('content-encoding', String(encoding));
    const options = { root: folder, etag: false, lastModified: false, cacheControl: false, acceptRanges: false };
    response.sendFile(name + suffix, options, (error) => {
      if (!error || response.headersSent) return;
      for (const header of ['content-encoding', 'cache-control']) response.removeHeader(header);
      next(new DomainError('NOT_FOUND'));
    });
  });
  router.all(`${base}/assets/:name`, onlyAllows('GET, HEAD'));
  return router;
}
