import { expect, test } from 'vitest';
import { insertEvent } from '../support/fixtures.ts';
import { graphql, query } from '../support/graphql.ts';
import { expectCode, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { createTeam, type Team } from '../support/team.ts';

// An organization as anyone sees it (reference/public-and-guests.md#public-organizations).

const server = await serve();
const first = await createTeam(server);
const second = await createTeam(server);

const profile = {
  description: 'Evenings at the **harbour**.',
  website: 'https://example.org/harbour',
  contact_email: 'hello@example.org',
  accent: '#0b6e63',
};
const { body: own } = await send<{ name: string; slug: string }>(server, first.owner, 'PATCH /organization', profile);
const { slug: other } = (await send<{ slug: string }>(server, second.owner, 'GET /organization')).body;

async function publish({ organizationId }: Team, name: string) {
  const dateStart = new Date('2127-05-01T10:00:00Z');
  return await insertEvent(server.orm, { organizationId, name, visibility: 'public', dateStart });
}
await publish(first, 'Ours');
await publish(first, 'Ours too');
await publish(second, 'Theirs');

const fields = 'name slug description website contact_email: contactEmail accent url';
const document = `query ($slug: String!) { publicOrganization(slug: $slug) {
  ${fields} events(first: 10) { totalCount nodes { name form { version } } } } }`;

test('a public organization needs neither a token nor a header, in both APIs', async () => {
  const { name, slug } = own;
  const expected = { name, slug, ...profile };
  const rest = await send(server, {}, `GET /public/organizations/${slug}`);
  expect(rest.body).toEqual({ ...expected, url: expect.stringMatching(new RegExp(`^http.*/o/${slug}$`)) });
  const { publicOrganization } = await query<{ publicOrganization: Record<string, unknown> }>(server, {}, document, {
    slug,
  });
  const { events, ...shown } = publicOrganization;
  expect(shown).toEqual(rest.body);
  expect(events).toEqual({
    totalCount: 2,
    nodes: [
      { name: 'Ours', form: { version: 0 } },
      { name: 'Ours too', form: { version: 0 } },
    ],
  });
});

test('it ignores the organization of the header, and tokens', async () => {
  const { data } = await graphql(
    server,
    { organizationId: second.organizationId, accessToken: 'none' },
    `query ($slug: String!) { publicOrganization(slug: $slug) { events { nodes { name form { version } } } }
      publicEvents { nodes { name form { version } } } b: publicOrganization(slug: "${other}") { events { nodes { name } } } }`,
    { slug: own.slug },
  );
  const form = { version: 0 };
  expect(data).toEqual({
    publicOrganization: {
      events: {
        nodes: [
          { name: 'Ours', form },
          { name: 'Ours too', form },
        ],
      },
    },
    publicEvents: { nodes: [{ name: 'Theirs', form }] },
    b: { events: { nodes: [{ name: 'Theirs' }] } },
  });
});

test('an unknown one is NOT_FOUND in REST, and null in GraphQL', async () => {
  for (const slug of ['nobody', 'a%00b', first.organizationId]) {
    expectCode(await send(server, {}, `GET /public/organizations/${slug}`), 404, 'NOT_FOUND');
    const variables = { slug: decodeURIComponent(slug) };
    expect(await query(server, {}, document, variables)).toEqual({ publicOrganization: null });
  }
});

test('it may be cached, and depends on no header', async () => {
  const path = `GET /public/organizations/${own.slug}`;
  const { headers } = await send(server, {}, path);
  expect(headers.get('cache-control')).toBe('public, max-age=30');
  expect(headers.get('vary') ?? '').not.toContain('x-organization-id');
  const tag = headers.get('etag') ?? '';
  const again = () => fetch(`${server.url}${path.slice(4)}`, { headers: { 'if-none-match': tag } });
  expect((await again()).status).toBe(304);
  await send(server, first.owner, 'PATCH /organization', { accent: '#7a1f1f' });
  expect((await again()).status).toBe(200);
});
