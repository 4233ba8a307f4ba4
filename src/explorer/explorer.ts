import path from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import { DomainError } from '../kernel/errors.ts';
import { html } from '../pages/html.ts';
import { onlyAllows } from '../pages/only-allows.ts';
import { bundleFolder, readBundle } from './bundle.ts';
import { sendBundlePage, sendMissing } from './bundle-page.ts';
import type { PageSettings } from './page-settings.ts';

export interface ExplorerOptions extends Pick<PageSettings, 'demo' | 'maxCost' | 'twins'> {
  /** The folder of the bundle; by default where `npm run explorer` puts it. */
  folder?: string;
}

/** GraphiQL in our own page, at `/graphql`. Its files are read from disk; nothing is kept in memory. */
export function explorerPage({ folder = bundleFolder, ...settings }: ExplorerOptions): RequestHandler {
  return async (request, response) => {
    const bundle = await readBundle(folder);
    if (!bundle) {
      return sendMissing(
        response,
        'GraphiQL',
        html`without the development packages or with <code>--ignore-scripts</code>`,
        html`Everything else works without it: GraphQL clients at this address, and the REST interface.`,
      );
    }
    const { script, scriptHash, style, workers } = bundle;
    // relative, since a proxy may serve this below a path that it strips
    const inside = request.path.endsWith('/');
    const assets = inside ? 'assets/' : 'graphql/assets/';
    sendBundlePage(response, {
      title: 'Events Gateway: GraphiQL',
      // Monaco sets styles from its script
      sources: [`script-src '${scriptHash}'`, "worker-src 'self'", "style-src 'self' 'unsafe-inline'"],
      settings: { ...settings, assets, base: inside ? '../' : './', workers } satisfies PageSettings,
      head: `<link rel="stylesheet" href="${assets}${style}"><script defer src="${assets}${script}" integrity="${scriptHash}"></script>`,
      body: '<div id="root"><noscript>GraphiQL needs JavaScript.</noscript></div>',
    });
  };
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
