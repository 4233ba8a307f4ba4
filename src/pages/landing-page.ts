import express, { type Request, type Router } from 'express';
import { type Html, html } from '#html-forms';
import { sendPage } from './html-page.ts';
import { type CommandAccount, commandsOf, type ShellCommand } from './landing-commands.ts';
import { onlyAllows } from './only-allows.ts';

export interface LandingOptions {
  /** Without a slash at the end. */
  publicUrl: string;
  graphiql: boolean;
  demo: CommandAccount | null;
  showsMailbox(request: Request): boolean;
}

type Link = readonly [rel: string, path: string, title: string, about: string];

interface Section {
  id: string;
  title: string;
  about: string;
  commands: ShellCommand[];
  links: Link[];
}

/** The page at `/`, which gets each kind of reader to a first response; only links for a client that asks for JSON. */
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
          links: Object.fromEntries(links.map(([rel, path]) => [rel, `${publicUrl}/${path}`])),
        });
        return;
      }
      const body = html`<main class="page landing"><h1>Events Gateway</h1>
<p>Organizations run events, and people subscribe to them. REST and GraphQL clients read and write the same data.</p>
<div class="columns">${sections.map(sectionHtml)}</div></main>`;
      sendPage(response, { title: 'Events Gateway', body, script: copyScript });
    })
    .all(onlyAllows('GET, HEAD'));
  return router;
}

/** A browser lets a page copy only over HTTPS or from localhost. */
const copyScript = `
for (const pre of navigator.clipboard ? document.querySelectorAll('.command pre') : []) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet copy', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  pre.after(button);
}
`;

function sectionHtml({ id, title, about, commands, links }: Section): Html {
  const items = links.map(
    ([, path, label, text]) => html`<li><a href="${path}">${label}</a> <span class="soft">${text}</span></li>`,
  );
  return html`
<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><p>${about}</p>
${commands.map(([what, command]) => html`<p>${what}</p><div class="command"><pre tabindex="0">${command}</pre></div>`)}
${items.length > 0 && html`<ul class="plain">${items}</ul>`}</section>`;
}

function sectionsOf({ publicUrl, graphiql, demo }: LandingOptions, showsMailbox: boolean): Section[] {
  const { rest, graphql, operator, machines } = commandsOf(publicUrl, demo);
  const graphqlLink: Link = graphiql
    ? ['graphql', 'graphql', 'GraphiQL', 'The schema, to explore and to query.']
    : ['graphql', 'graphql', 'GraphQL', 'The endpoint for GraphQL clients.'];
  const demoLink: Link = ['demo', 'o/demo', 'The demo’s public page', 'Events that anyone can see and subscribe to.'];
  const mailboxLink: Link = ['mailbox', 'dev/mailbox', 'Mailbox', 'The mails that would have been sent.'];
  const sections: Section[] = [
    {
      id: 'rest',
      title: 'Call the REST API',
      about: 'Two commands lead to a first response:',
      commands: rest,
      links: [
        ['reference', 'reference', 'Reference', 'Every operation, to read and to try.'],
        ['openapi', 'openapi.json', 'OpenAPI', 'The same as a document for programs.'],
        ['errors', 'errors', 'Errors', 'What each code means, and what to do about it.'],
        guide('integrate-a-server', 'Integrate a server', 'Keys, retries, changes and webhooks.'),
      ],
    },
    {
      id: 'frontend',
      title: 'Build a frontend',
      about: `${graphiql ? 'GraphiQL has examples that run as they are. ' : ''}In the shell, after signing in as above:`,
      commands: graphql,
      links: [
        graphqlLink,
        ...(demo ? [demoLink] : []),
        guide('build-a-browser-client', 'Build a browser client', 'Signing in, staying signed in, pages and streams.'),
      ],
    },
    {
      id: 'operate',
      title: 'Operate the service',
      about: 'Settings are environment variables; all have defaults on one machine.',
      commands: operator,
      links: [
        [
          'operate',
          'docs/operate/install',
          'Install',
          'Production with two replicas, the first owner, restarts, backups.',
        ],
        ['operations', 'docs/operate/', 'Operate', 'Restarts, failures, containers and metrics.'],
        ['settings', 'docs/operate/configure', 'Settings', 'Every variable and its default.'],
        [
          'contribute',
          'docs/contribute/',
          'Contribute',
          'How to start and develop the service, and how its code is laid out.',
        ],
        ...(showsMailbox ? [mailboxLink] : []),
      ],
    },
    {
      id: 'machines',
      title: 'Connect another system',
      about: 'After signing in as above:',
      commands: machines,
      links: [
        ['keys', 'docs/reference/api-keys', 'API keys', 'What a machine signs in with.'],
        ['changes', 'docs/reference/changes', 'Changes', 'As a feed, or as a stream.'],
        ['webhooks', 'docs/reference/webhooks', 'Webhooks', 'Signed, and retried until they arrive.'],
      ],
    },
  ];
  return sections;
}

function guide(name: string, title: string, about: string): Link {
  return [name, `docs/guides/${name}`, title, about];
}
