import express, { type Request, type Router } from 'express';
import { documents } from './documentation.ts';
import { type Html, html } from './html.ts';
import { sendPage } from './html-page.ts';
import { type CommandAccount, commandsOf, type ShellCommand } from './landing-commands.ts';
import { onlyAllows } from './only-allows.ts';

export interface LandingOptions {
  /** Where clients reach the service, without a slash at the end. */
  publicUrl: string;
  graphiql: boolean;
  /** An owner of the demo organization; null if there is no demo. */
  demo: CommandAccount | null;
  /** Whether the client may see the stored mails. */
  showsMailbox(request: Request): boolean;
}

interface Link {
  rel: string;
  path: string;
  title: string;
  about: string;
}

interface Section {
  id: string;
  title: string;
  /** What the commands are for. */
  about: string;
  commands: ShellCommand[];
  links: Link[];
}

/** The page at `/`, which leads each of its readers to a first answer; links alone for a client that asks for JSON. */
export function landingPage(options: LandingOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router
    .route('/')
    .get((request, response) => {
      const { publicUrl } = options;
      const sections = sectionsOf(options, options.showsMailbox(request));
      response.vary('accept');
      if (request.accepts(['json', 'html']) !== 'html') {
        const links = sections.flatMap((section) => section.links);
        response.json({
          name: 'Events Gateway',
          links: Object.fromEntries(links.map(({ rel, path }) => [rel, `${publicUrl}/${path}`])),
        });
        return;
      }
      const contents = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
      const body = html`<main class="page"><h1>Events Gateway</h1>
<p>Organizations run events, and people subscribe to them. REST and GraphQL clients read and write the same data.</p>
<nav aria-label="Contents"><ul>${contents}</ul></nav>${sections.map(sectionHtml)}</main>`;
      sendPage(response, { title: 'Events Gateway', body });
    })
    .all(onlyAllows('GET, HEAD'));
  return router;
}

function sectionHtml({ id, title, about, commands, links }: Section): Html {
  const items = links.map(
    (link) => html`<li><a href="${link.path}">${link.title}</a><br><span class="soft">${link.about}</span></li>`,
  );
  return html`
<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><p>${about}</p>
${commands.map(([what, command]) => html`<p>${what}</p><pre tabindex="0">${command}</pre>`)}
${items.length > 0 && html`<ul class="plain">${items}</ul>`}</section>`;
}

function sectionsOf({ publicUrl, graphiql, demo }: LandingOptions, showsMailbox: boolean): Section[] {
  const { rest, graphql, operator, machines } = commandsOf(publicUrl, demo);
  const sections: Section[] = [
    {
      id: 'rest',
      title: 'You call the REST API',
      about: 'Two commands lead to a first response:',
      commands: rest,
      links: [
        { rel: 'reference', path: 'reference', title: 'Reference', about: 'Every operation, to read and to try.' },
        { rel: 'openapi', path: 'openapi.json', title: 'OpenAPI', about: 'The same as a document for programs.' },
        { rel: 'errors', path: 'errors', title: 'Errors', about: 'What each code means, and what to do about it.' },
        guide('integrate-a-server', 'Integrate a server', 'Keys, retries, changes and webhooks.'),
      ],
    },
    {
      id: 'frontend',
      title: 'You build a frontend',
      about: graphiql
        ? 'GraphiQL has examples that run as they are. In the shell, after signing in as above:'
        : 'In the shell, after signing in as above:',
      commands: graphql,
      links: [
        {
          rel: 'graphql',
          path: 'graphql',
          title: graphiql ? 'GraphiQL' : 'GraphQL',
          about: graphiql ? 'The schema, to explore and to query.' : 'The endpoint for GraphQL clients.',
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
        guide('build-a-browser-client', 'Build a browser client', 'Signing in, staying signed in, pages and streams.'),
      ],
    },
    {
      id: 'operate',
      title: 'You operate the service',
      about: 'Settings are environment variables; all have defaults on one machine.',
      commands: operator,
      links: [
        guide(
          'operate-the-service',
          'Operate the service',
          'Production with two replicas, the first owner, restarts, backups.',
        ),
        {
          rel: 'operations',
          path: 'docs/operations/README.md',
          title: 'Operations',
          about: 'Restarts, failures, containers, and what it measures.',
        },
        {
          rel: 'settings',
          path: 'docs/interface/settings.md',
          title: 'Settings',
          about: 'Every variable and its default.',
        },
        {
          rel: 'readme',
          path: 'README.md',
          title: 'README',
          about: 'How to start and develop the service, and how its code is laid out.',
        },
        ...(showsMailbox
          ? [{ rel: 'mailbox', path: 'dev/mailbox', title: 'Mailbox', about: 'The mails that would have been sent.' }]
          : []),
      ],
    },
    {
      id: 'machines',
      title: 'You connect another system',
      about: 'After signing in as above:',
      commands: machines,
      links: [
        { rel: 'keys', path: 'docs/interface/keys.md', title: 'API keys', about: 'What a machine signs in with.' },
        { rel: 'changes', path: 'docs/interface/changes.md', title: 'Changes', about: 'As a feed, or as a stream.' },
        {
          rel: 'webhooks',
          path: 'docs/interface/webhooks.md',
          title: 'Webhooks',
          about: 'Signed, and retried until they arrive.',
        },
      ],
    },
  ];
  return sections.map((section) => ({ ...section, links: section.links.filter(({ path }) => isServed(path)) }));
}

function guide(name: string, title: string, about: string): Link {
  return { rel: name, path: `docs/guides/${name}.md`, title, about };
}

/** Whether there is something behind a link: documents may not be installed. */
function isServed(path: string): boolean {
  return !path.endsWith('.md') || documents.has(path);
}
