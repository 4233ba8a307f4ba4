import { describe, expect, it } from 'vitest';
import { insertEvent } from '../support/fixtures.ts';
import { expectCode, graphql, pointersOf, query, send, trailOf } from '../support/send.ts';
import { createTeam, type Person, serve, type Team } from '../support/server.ts';
import { facesOf, mutate } from '../support/write-faces.ts';

const server = await serve();

const profile = {
  description: 'Courses and concerts **at the harbour**.\n\n- evenings\n- weekends',
  website: 'https://example.org/harbour?a=1&b=2',
  contact_email: 'Hello@Example.org',
  accent: '#0b6e4f',
};
const none = { description: null, website: null, contact_email: null, accent: null };
const fields = 'description website contact_email: contactEmail accent version';
type Profile = Record<string, unknown>;

async function read(person: Person): Promise<Profile[]> {
  const { organization } = await query<{ organization: Profile }>(server, person, `{ organization { ${fields} } }`);
  const names = 'description%20website%20contact_email%20accent%20version';
  const answers = [
    await send(server, person, `GET /organization?fields=${names}`),
    await send(server, person, `GET /organizations/${person.organizationId}?fields=${names}`),
  ];
  for (const { headers, body } of answers) expect(headers.get('etag')).toBe(`"${body.version}"`);
  const list = await send<{ items: Profile[] }>(server, person, `GET /organizations?fields=${names}`);
  return [organization, ...answers.map(({ body }) => body), list.body.items[0] ?? {}];
}

describe.each(facesOf(server))('the profile of an organization, written by $name', (face) => {
  const { name, updateOrganization: change } = face;

  it('is empty at first, then what owners write, as all members read it on both faces', async () => {
    const { owner, member } = await createTeam(server);
    for (const shown of await read(member)) expect(shown).toEqual({ ...none, version: 1 });
    const { value } = await change(owner, profile);
    expect(value).toMatchObject({ ...profile, version: 2 });
    for (const shown of await read(member)) expect(shown).toEqual({ ...profile, version: 2 });
    expect((await change(owner, { website: null, accent: '#A03020' })).value).toMatchObject({
      ...{ ...profile, website: null, accent: '#a03020', version: 3 },
    });
    expect((await change(owner, none)).value).toMatchObject({ ...none, version: 4 });
  });

  it('has a version that guards it, and stays as it is where nothing changes', async () => {
    const { owner } = await createTeam(server);
    await change(owner, profile);
    for (const input of [{}, profile, { accent: profile.accent.toUpperCase() }]) {
      expect((await change(owner, input)).value).toMatchObject({ ...profile, version: 2 });
    }
    for (const version of [1, 3]) {
      expect(await change(owner, { accent: null }, { version })).toMatchObject({ code: 'PRECONDITION_FAILED' });
    }
    expect((await change(owner, { accent: 'red' }, { version: 1 })).code).toBe('VALIDATION_ERROR');
    expect((await change(owner, { accent: null }, { version: 2 })).value).toMatchObject({
      ...profile,
      accent: null,
      version: 3,
    });
    const racers = await Promise.all(
      ['#111111', '#222222', '#333333'].map((accent) => change(owner, { accent }, { version: 3 })),
    );
    expect(racers.map(({ code }) => code).sort()).toEqual(['PRECONDITION_FAILED', 'PRECONDITION_FAILED', null]);
  });

  it.each<[string, string, unknown[], unknown[]]>([
    ['description', 'description', ['x'.repeat(20_001), 'a\0b'], ['', '🌊'.repeat(20_000)]],
    [
      'website',
      'website',
      [
        ...['', 'example.org', 'ftp://example.org', 'javascript:alert(1)', 'https:///x'],
        `https://example.org/${'x'.repeat(2_000)}`,
      ],
      ['http://example.org', `https://example.org/${'x'.repeat(1_980)}`, 'https://xn--caf-dma.example/ä'],
    ],
    ['contact_email', 'contactEmail', ['', 'nobody', 'a@b@c', `${'x'.repeat(65)}@example.org`], ['a+b@example.org']],
    ['accent', 'accent', ['', '#fff', 'red', '0b6e4f', '#0b6e4fff', '#ffff00', '#777777'], ['#767676', '#000000']],
  ])('has a %s that is refused at its pointer, or taken', async (field, inGraphql, bad, good) => {
    const { owner } = await createTeam(server);
    const pointer = name === 'rest' ? `/${field}` : `/${inGraphql}`;
    for (const value of bad) {
      const refused = await change(owner, { name: 'Never', [field]: value });
      expect([value, refused.code, refused.pointers]).toEqual([value, 'VALIDATION_ERROR', [pointer]]);
    }
    for (const value of good) expect((await change(owner, { [field]: value })).value[field]).toBe(value);
    const shown = await send(server, owner, 'GET /organization');
    expect([shown.body.name, shown.body.version]).toEqual(['An organization', 1 + good.length]);
  });
});

describe('PATCH /organization', () => {
  it('suggests a darker colour where nobody could read one, as GraphQL does', async () => {
    const { owner } = await createTeam(server);
    const ask = (accent?: string) => send(server, owner, 'PATCH /organization', { accent });
    const accent = '#FFCC00';
    const refused = [
      await ask(accent),
      await mutate(server, owner, 'updateOrganization', 'clientMutationId', { accent }),
    ];
    for (const { text } of refused) {
      const suggested = /#[\da-f]{6}/.exec(text)?.[0];
      expect((await ask(suggested)).body.accent).toBe(suggested);
    }
  });

  it('tells the audit trail which fields changed, without what was written in them', async () => {
    const { owner } = await createTeam(server);
    const { headers } = await send(server, owner, 'PATCH /organization', { ...profile, signup: 'invite' });
    expect(headers.get('etag')).toBe('"2"');
    await facesOf(server)[1]?.updateOrganization(owner, { ...profile, signup: 'invite', accent: null });
    const changes = await trailOf(server, owner, { action: 'organization.changed' });
    expect(changes.map(({ detail }) => detail)).toEqual([
      { signup: 'invite', fields: ['description', 'website', 'contact_email', 'accent'] },
      { fields: ['accent'] },
    ]);
  });

  it('refuses all faults at once, and every null that is none', async () => {
    const { owner } = await createTeam(server);
    const refused = await send(server, owner, 'PATCH /organization', {
      ...{ name: null, signup: null, website: 1, accent: '#eeeeee', version: 2, description: [] },
    });
    expectCode(refused, 400, 'VALIDATION_ERROR');
    expect(pointersOf(refused).sort()).toEqual(
      ['/accent', '/description', '/name', '/signup', '/version', '/website'].sort(),
    );
  });
});

// An organization as anyone sees it (reference/public-and-guests.md#public-organizations).

const first = await createTeam(server);
const second = await createTeam(server);

const { body: own } = await send<{ name: string; slug: string }>(server, first.owner, 'PATCH /organization', profile);
const { slug: other } = (await send<{ slug: string }>(server, second.owner, 'GET /organization')).body;

async function publish({ organizationId }: Team, name: string) {
  const dateStart = new Date('2127-05-01T10:00:00Z');
  return await insertEvent(server.orm, { organizationId, name, visibility: 'public', dateStart });
}
await publish(first, 'Ours');
await publish(first, 'Ours too');
await publish(second, 'Theirs');
const ours = ['Ours', 'Ours too'].map((name) => ({ name, form: { version: 0 } }));

const document = `query ($slug: String!) { publicOrganization(slug: $slug) {
  name slug description website contact_email: contactEmail accent url events(first: 10) { totalCount nodes { name form { version } } } } }`;

it('a public organization needs neither a token nor a header, in both APIs', async () => {
  const { name, slug } = own;
  const expected = { name, slug, ...profile };
  const rest = await send(server, {}, `GET /public/organizations/${slug}`);
  expect(rest.body).toEqual({ ...expected, url: expect.stringMatching(new RegExp(`^http.*/o/${slug}$`)) });
  expect(await query(server, {}, document, { slug })).toEqual({
    publicOrganization: { ...rest.body, events: { totalCount: 2, nodes: ours } },
  });
});

it('it ignores the organization of the header, and tokens', async () => {
  const { data } = await graphql(
    server,
    { organizationId: second.organizationId, accessToken: 'none' },
    `query ($slug: String!) { publicOrganization(slug: $slug) { events { nodes { name form { version } } } }
      publicEvents { nodes { name form { version } } } b: publicOrganization(slug: "${other}") { events { nodes { name } } } }`,
    { slug: own.slug },
  );
  expect(data).toEqual({
    publicOrganization: { events: { nodes: ours } },
    publicEvents: { nodes: [{ name: 'Theirs', form: { version: 0 } }] },
    b: { events: { nodes: [{ name: 'Theirs' }] } },
  });
});

it('an unknown one is NOT_FOUND in REST, and null in GraphQL', async () => {
  for (const slug of ['nobody', 'a%00b', first.organizationId]) {
    expectCode(await send(server, {}, `GET /public/organizations/${slug}`), 404, 'NOT_FOUND');
    const variables = { slug: decodeURIComponent(slug) };
    expect(await query(server, {}, document, variables)).toEqual({ publicOrganization: null });
  }
});

it('it may be cached, and depends on no header', async () => {
  const path = `GET /public/organizations/${own.slug}`;
  const { headers } = await send(server, {}, path);
  expect(headers.get('cache-control')).toBe('public, max-age=30');
  expect(headers.get('vary') ?? '').not.toContain('x-organization-id');
  const tag = headers.get('etag') ?? '';
  const again = () => send(server, {}, path, undefined, { 'if-none-match': tag });
  expect((await again()).status).toBe(304);
  await send(server, first.owner, 'PATCH /organization', { accent: '#7a1f1f' });
  expect((await again()).status).toBe(200);
});
