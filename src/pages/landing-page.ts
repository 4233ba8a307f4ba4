import { readFile } from 'node:fs/promises';
import express, { type Request, type Router } from 'express';
import { html } from './html.ts';
import { sendPage } from './html-page.ts';
import { onlyAllows } from './only-allows.ts';

export interface LandingOptions {
  /** Where clients reach the service, without a slash at the end. */
  publicUrl: string;
  graphiql: boolean;
  /** Whether the demo organization exists. */
  demo: boolean;
  /** Whether the client may see the stored mails. */
  showsMailbox(request: Request): boolean;
}

interface Link {
  rel: string;
  path: string;
  title: string;
  about: string;
}

const readme = new URL('../../README.md', import.meta.url);

/** The page at `/`: what the service is and where to go next; links alone for a client that asks for JSON. */
export function landingPage({ publicUrl, graphiql, demo, showsMailbox }: LandingOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const linksOf = (request: Request): Link[] => [
    {
      rel: 'graphql',
      path: 'graphql',
      title: graphiql ? 'Explore the GraphQL schema' : 'GraphQL',
      about: graphiql ? 'GraphiQL with examples that run as they are.' : 'The endpoint for GraphQL clients.',
    },
    ...(demo
      ? [
          {
            rel: 'demo',
            path: 'o/demo',
            title: 'The demo’s public page',
            about: 'Events that anyone can see and subscribe to.',
          },
        ]
      : []),
    {
      rel: 'openapi',
      path: 'openapi.json',
      title: 'REST interface',
      about: 'Every operation, as an OpenAPI 3.1 document.',
    },
    {
      rel: 'readme',
      path: 'README.md',
      title: 'README',
      about: 'How to start the service, a first REST and GraphQL query, and the settings.',
    },
    ...(showsMailbox(request)
      ? [{ rel: 'mailbox', path: 'dev/mailbox', title: 'Mailbox', about: 'The mails that would have been sent.' }]
      : []),
  ];
  router.get('/', (request, response) => {
    const links = linksOf(request);
    response.vary('accept');
    if (request.accepts(['json', 'html']) !== 'html') {
      response.json({
        name: 'Events Gateway',
        links: Object.fromEntries(links.map(({ rel, path }) => [rel, `${publicUrl}/${path}`])),
      });
      return;
    }
    const items = links.map(
      ({ path, title, about }) => html`<li><a href="${path}">${title}</a><br><span class="soft">${about}</span></li>`,
    );
    const body = html`<main><h1>Events Gateway</h1>
<p>Organizations run events, and people subscribe to them. REST and GraphQL clients read and write the same data.</p>
<ul class="plain">${items}</ul></main>`;
    sendPage(response, { title: 'Events Gateway', body });
  });
  router.get('/README.md', async (_request, response) => {
    response.type('text/plain; charset=utf-8').send(await readFile(readme, 'utf8'));
  });
  router.all(['/', '/README.md'], onlyAllows('GET, HEAD'));
  return router;
}
