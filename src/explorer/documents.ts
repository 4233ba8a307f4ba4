import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import express, { type Router } from 'express';
import { html } from '#html-forms';
import { onlyAllows } from '../pages/only-allows.ts';
import { sendMissing } from './explorer.ts';

/** Where `npm run docs` puts the site. */
const siteFolder = path.join(import.meta.dirname, '..', '..', 'dist', 'docs');

/** No script and no style element is inline; highlighted code has its colours in attributes. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The site of the documents at `/docs`, built by VitePress (note 0046). */
export function documents(publicUrl: string, folder = siteFolder): Router {
  const below = new URL(publicUrl).pathname.replace(/\/$/, '');
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
