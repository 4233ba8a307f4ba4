import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

const headers = `{
  // "Authorization": "Bearer <access_token of POST /auth/login>",
  // "x-organization-id": "<id of the organization, see the tab 'Who am I'>"
}
`;

/** What the tabs of a first visit hold. */
export const examples = [
  `# Who am I, and where do I belong? Needs "Authorization" (see Headers below).
query WhoAmI {
  viewer {
    name
    email
    memberships {
      role
      organization {
        databaseId
        name
      }
    }
  }
}
`,
  `# What comes next? Needs "x-organization-id", too.
query Upcoming($after: String) {
  events(where: { phase: { eq: UPCOMING } }, first: 10, after: $after) {
    totalCount
    nodes {
      name
      dateStart
      location
      viewerSubscription {
        status
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
  `# Who comes? Managers see everyone, members themselves.
query Guests {
  events(where: { status: { eq: ACTIVE } }, orderBy: { field: DATE_START, direction: DESC }, first: 5) {
    nodes {
      name
      acceptedCount
      capacity
      subscriptions(where: { status: { eq: ACCEPTED } }, first: 10) {
        totalCount
        nodes {
          createdAt
          user {
            name
            email
          }
        }
      }
    }
  }
}
`,
];

interface Page {
  html: string;
  compressed: Buffer;
  /** Everything is in the page: it may run its own script and call this service, nothing else. */
  policy: string;
}

let page: Promise<Page> | undefined;

/** Serves GraphiQL as one page that asks no other host for anything. Made when it is first asked for: it is large. */
export const serveGraphiql: RequestHandler = async (request, response) => {
  page ??= makePage();
  const { html, compressed, policy } = await page;
  response.vary('accept-encoding').set('content-security-policy', policy).type('text/html; charset=utf-8');
  if (request.acceptsEncodings('gzip')) response.set('content-encoding', 'gzip').send(compressed);
  else response.send(html);
};

async function makePage(): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({
    title: 'Events Gateway',
    endpoint: '/graphql',
    defaultTabs: examples.map((query) => ({ query, headers })),
    defaultHeaders: headers,
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false,
  }).trim();
  const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}' blob:`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'font-src data:',
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html, compressed: await promisify(gzip)(html), policy };
}
