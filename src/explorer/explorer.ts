import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import express, { type RequestHandler, type Response, type Router } from 'express';
import { type BundlePage, type DemoSignIn, graphiqlPage, readBundle, referencePage as scalarPage } from '#explorer';
import type { RestTwins } from '#explorer-content';
import { type Html, html } from '#html-forms';
import { DomainError } from '../kernel/errors.ts';
import { pathBelow } from '../kernel/path-below.ts';
import { sendPage } from '../pages/html-page.ts';
import { onlyAllows } from '../pages/only-allows.ts';

/** The folder where `npm run explorer` puts the bundle, beside `src`. */
export const bundleFolder = path.join(import.meta.dirname, '..', '..', 'dist', 'explorer');

const documentsLink = { title: 'Documents', path: 'docs/' };
const service = { name: 'Events Gateway', id: 'events-gateway' };

interface PageOptions {
  demo: readonly DemoSignIn[];
  folder?: string;
}

export interface ReferenceOptions extends PageOptions {
  graphiql: boolean;
}

export interface ExplorerOptions extends PageOptions {
  maxCost: number;
  twins: RestTwins;
}

/** Its files are read from disk on each request; nothing is kept in memory. */
export function explorerPage({ demo, folder = bundleFolder, maxCost, twins }: ExplorerOptions): RequestHandler {
  return async (request, response) => {
    const bundle = await readBundle(folder);
    if (!bundle) {
      return sendMissing(
        response,
        'GraphiQL',
        'explorer',
        html`without the development packages or with <code>--ignore-scripts</code>`,
        html`Everything else works without it: GraphQL clients at this address, and the REST interface.`,
      );
    }
    // relative, since a proxy may serve this below a path that it strips
    const inside = request.path.endsWith('/');
    const paths = { assets: inside ? 'assets/' : 'graphql/assets/', base: inside ? '../' : './' };
    const links = [{ title: 'REST reference', path: 'reference' }, documentsLink];
    send(response, graphiqlPage(bundle, { ...service, ...paths, links, demo, maxCost, data: { twins } }));
  };
}

/** `openapi.json` rendered by Scalar, with our sign-in (note 0046). */
export function referencePage({ demo, graphiql, folder = bundleFolder }: ReferenceOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const links = [...(graphiql ? [{ title: 'GraphiQL', path: 'graphql' }] : []), documentsLink];
  router.get('/reference', async (_request, response) => {
    const bundle = await readBundle(folder);
    if (!bundle) {
      const document = html`The <a href="openapi.json">OpenAPI document</a> that it shows works without it.`;
      return sendMissing(response, 'The reference', 'explorer', html`without the development packages`, document);
    }
    const paths = { assets: 'reference/assets/', base: './', document: 'openapi.json' };
    const nonce = randomBytes(16).toString('base64');
    response.set('cache-control', 'no-store');
    send(response, scalarPage(bundle, { ...service, ...paths, links, demo, nonce }));
  });
  router.use(bundleAssets('/reference', folder));
  router.all('/reference', onlyAllows('GET, HEAD'));
  return router;
}

function send(response: Response, { headers, html: text }: BundlePage): void {
  response.set(headers).type('html').send(text);
}

/** @param name of the command that builds it and of its folder; @param built when `npm ci` does not build it; @param without what works without it */
export function sendMissing(response: Response, what: string, name: string, built: Html, without: Html): void {
  const title = `${what} is not built`;
  const body = html`<main><h1>${title}</h1>
<p>Its files are in <code>dist/${name}</code> of a release, and <code>npm ci</code> builds them, but not ${built}. Copy that folder here, or install all packages and run this command. The service does not have to be restarted.</p>
<pre>npm run ${name}</pre>
<p>${without}</p></main>`;
  sendPage(response, { title, body, status: 503 });
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** File names contain a hash of the content, so files never change. */
export function bundleAssets(base: '/graphql' | '/reference', folder = bundleFolder): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get(`${base}/assets/:name`, (request, response, next) => {
    const { name } = request.params;
    const type = types[path.extname(name)];
    if (!/^[\w.-]+$/.test(name) || !type) throw new DomainError('NOT_FOUND');
    const isCompressed = request.acceptsEncodings(['br', 'identity']) === 'br';
    response.vary('accept-encoding').set({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      // for workers, which only compute and make no requests
      'content-security-policy': "default-src 'none'",
    });
    if (isCompressed) response.set('content-encoding', 'br');
    const options = { root: folder, etag: false, lastModified: false, cacheControl: false, acceptRanges: false };
    response.sendFile(isCompressed ? `${name}.br` : name, options, (error) => {
      if (!error || response.headersSent) return;
      for (const header of ['content-encoding', 'cache-control']) response.removeHeader(header);
      next(new DomainError('NOT_FOUND'));
    });
  });
  router.all(`${base}/assets/:name`, onlyAllows('GET, HEAD'));
  return router;
}

/** Where `npm run docs` puts the site. */
const siteFolder = path.join(import.meta.dirname, '..', '..', 'dist', 'docs');

/** No script and no style element is inline; highlighted code has its colours in attributes. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The site of the documents at `/docs`, built by VitePress (note 0046). */
export function documents(publicUrl: string, folder = siteFolder): Router {
  const below = pathBelow(publicUrl);
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/docs', (_request, response) => response.redirect(308, 'docs/'));
  // a page by the name of its file
  router.get(/^\/docs\/.*\.md$/, (request, response) =>
    response.redirect(308, path.posix.basename(request.path, '.md').replace('README', './')),
  );
  router.use('/docs', (request, response, next) => {
    if (!/^(GET|HEAD)$/.test(request.method)) onlyAllows('GET, HEAD')(request, response);
    response.set({ 'content-security-policy': policy, 'x-frame-options': 'DENY' });
    if (existsSync(folder)) return next();
    sendMissing(
      response,
      'The documentation',
      'docs',
      html`without the development packages`,
      html`Its sources are in <code>docs</code>.`,
    );
  });
  // the links of the site are absolute: below a path that a proxy strips, they begin with it
  router.get(/^\/docs\/(?!.*\.\.)[\w./@-]*$/, ({ path: address }, response, next) => {
    const name = `${address.slice('/docs/'.length)}${path.extname(address) ? '' : address.endsWith('/') ? 'index.html' : '.html'}`;
    const file = path.join(folder, name);
    if (below === '' || !/\.(html|js)$/.test(file) || !existsSync(file)) return next();
    response.type(path.extname(file)).send(readFileSync(file, 'utf8').replaceAll('/docs/', `${below}/docs/`));
  });
  router.use(
    '/docs',
    express.static(folder, {
      extensions: ['html'],
      redirect: false,
      setHeaders: (response, file) => {
        const isHashed = path.dirname(file).includes(`${path.sep}assets`);
        response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    }),
  );
  return router;
}
