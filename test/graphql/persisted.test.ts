import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../src/schema/server/trusted-documents.ts';
import { insertMember } from '../support/fixtures.ts';
import { type Caller, send } from '../support/send.ts';
import { createKey, serve, signIn } from '../support/server.ts';
import { sharedFolder } from '../support/shared.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const viewer = 'query Viewer { viewer { name } }';
const organization = 'query Organization { organization { name } }';
const manifest = { [`sha256:${sha256(viewer)}`]: viewer, organization };

const dir = await sharedFolder();
const file = path.join(dir, 'manifest.json');
await writeFile(file, JSON.stringify(manifest));
const open = await serve({ env: { TRUSTED_DOCUMENTS: file } });
const { databaseUrl, secrets } = open;
const env = { TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_ONLY: 'on' };
const closed = await serve({ env, databaseUrl, secrets });
const member = await insertMember(open.orm, { role: 'owner', name: 'Olga Owner' });
const { accessToken } = await signIn(open.url, member.email);
const owner = { accessToken, organizationId: member.organizationId };

interface Answer {
  data?: Record<string, Record<string, unknown>>;
  errors?: { message: string; extensions: { code: string; errors?: { pointer: string }[] } }[];
}

async function post(body: object, { url = open.url, headers = {}, by = owner as Caller } = {}) {
  const answer = await send<Answer>({ url }, by, 'POST /graphql', body, headers);
  return { status: answer.status, body: answer.body };
}
/** Asks for the document of a hash by GET. */
const getByHash = (query: string) => {
  const search = new URLSearchParams({ extensions: JSON.stringify(byHash(query).extensions) });
  return send<Answer>(open, owner, `GET /graphql?${search}`);
};

const codeOf = ({ body }: { body: Answer }) => body.errors?.[0]?.extensions.code;
const byHash = (query: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: sha256(query) } } });

describe('a query by its hash', () => {
  it('is not found until it was sent along once, and then answers as by its text', async () => {
    const query = 'query First { viewer { name memberships { role } } }';
    const unknown = await post(byHash(query));
    expect([unknown.status, codeOf(unknown), unknown.body.errors?.[0]?.message]).toEqual([
      200,
      'PERSISTED_QUERY_NOT_FOUND',
      'PersistedQueryNotFound',
    ]);
    const accept = { accept: 'application/graphql-response+json' };
    expect((await post(byHash(query), { headers: accept })).status).toBe(400);
    const registered = await post({ query, ...byHash(query) });
    expect(registered.body.data?.viewer).toMatchObject({ name: 'Olga Owner' });
    for (let again = 0; again < 5; again += 1) expect(await post(byHash(query))).toEqual(registered);
  });

  it('works by GET', async () => {
    const query = 'query ByGet { viewer { name } }';
    await post({ query, ...byHash(query) });
    expect((await getByHash(query)).body).toMatchObject({ data: { viewer: { name: 'Olga Owner' } } });
  });

  it('may be a mutation by POST and not by GET', async () => {
    const query = 'mutation Rename($name: String!) { updateProfile(input: {name: $name}) { viewer { name } } }';
    const variables = { name: 'Olga Owner' };
    await post({ query, variables, ...byHash(query) });
    expect((await post({ variables, ...byHash(query) })).body.data?.updateProfile).toEqual({ viewer: variables });
    expect((await getByHash(query)).status).toBe(405);
  });

  it('is refused if the hash is of another text, or none', async () => {
    const wrong = await post({ query: viewer, ...byHash(organization) });
    expect([wrong.status, codeOf(wrong)]).toEqual([400, 'VALIDATION_ERROR']);
    expect(wrong.body.errors?.[0]?.extensions.errors?.[0]?.pointer).toBe('/extensions/persistedQuery/sha256Hash');
    for (const persistedQuery of [{ version: 1 }, { version: 1, sha256Hash: 'abc' }, { version: 2 }, 'abc', []]) {
      expect(codeOf(await post({ extensions: { persistedQuery } }))).toBe('VALIDATION_ERROR');
    }
  });

  it('is not cached for anonymous clients, nor if the document is invalid', async () => {
    const query = 'query Anonymous { __typename }';
    expect((await post({ query, ...byHash(query) }, { headers: { authorization: '' } })).status).toBe(401);
    expect((await post({ query, ...byHash(query) }, { by: {} })).body.data).toEqual({ __typename: 'Query' });
    expect(codeOf(await post(byHash(query)))).toBe('PERSISTED_QUERY_NOT_FOUND');
    const invalid = 'query Invalid { nothing }';
    expect(codeOf(await post({ query: invalid, ...byHash(invalid) }))).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(codeOf(await post(byHash(invalid)))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it('comes after authentication', async () => {
    const answer = await post(byHash('query Unknown { viewer { id } }'), { headers: { authorization: 'Bearer no' } });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'INVALID_TOKEN']);
  });

  it('is not kept if the operation is refused for its cost', async () => {
    const costly = '{ events { nodes { subscriptions { nodes { event { subscriptions { totalCount } } } } } } }';
    expect(codeOf(await post({ query: costly, ...byHash(costly) }))).toBe('INVALID_QUERY');
    expect(codeOf(await post(byHash(costly)))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });
});

describe('a trusted document', () => {
  it.each([
    ['its id', { documentId: 'organization' }, 'organization'],
    ['the hash with its kind', { documentId: `sha256:${sha256(viewer)}` }, 'viewer'],
    ['the bare hash', { documentId: sha256(viewer) }, 'viewer'],
    ['the hash in Apollo’s way', byHash(viewer), 'viewer'],
    ['its text', { query: viewer }, 'viewer'],
  ])('is found by %s', async (_way, body, field) => {
    for (const { url } of [open, closed]) {
      const answer = await post(body, { url });
      expect(answer.body.data).toHaveProperty(field);
      for (let again = 0; again < 3; again += 1) expect(await post(body, { url })).toEqual(answer);
    }
  });

  it('is served to an API key as to a person, and nothing else is', async () => {
    const { secret } = await createKey(open, owner, { name: 'A reader', access: 'read' });
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await post({ documentId: sha256(viewer) }, { url: closed.url, headers });
    expect(answer.body.data).toEqual({ viewer: { name: 'A reader' } });
    const other = await post({ query: 'query Other { viewer { id } }' }, { url: closed.url, headers });
    expect([other.status, codeOf(other), other.body.data]).toEqual([200, 'PERSISTED_QUERY_ONLY', undefined]);
    const query = 'query ByKey { viewer { name } }';
    for (const body of [{ query, ...byHash(query) }, byHash(query)]) {
      expect((await post(body, { headers })).body.data).toEqual({ viewer: { name: 'A reader' } });
    }
    const unknown = { authorization: `Bearer ${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}` };
    expect(codeOf(await post({ documentId: sha256(viewer) }, { url: closed.url, headers: unknown }))).toBe(
      'INVALID_TOKEN',
    );
  });

  it('is named once', async () => {
    expect(codeOf(await post({ query: viewer, documentId: 'organization' }))).toBe('VALIDATION_ERROR');
    expect(codeOf(await post({ documentId: 'organization', ...byHash(viewer) }))).toBe('VALIDATION_ERROR');
    expect(codeOf(await post({ documentId: 1 }))).toBe('VALIDATION_ERROR');
    expect(codeOf(await post({}))).toBe('VALIDATION_ERROR');
  });

  it('is the only one served if the operator configures it', async () => {
    const other = 'query Other { viewer { id } }';
    for (const body of [{ query: other }, { query: '{ nonsense' }, byHash(other), { documentId: 'other' }]) {
      const answer = await post(body, { url: closed.url });
      expect([answer.status, codeOf(answer), answer.body.data]).toEqual([200, 'PERSISTED_QUERY_ONLY', undefined]);
    }
    const registering = await post({ query: other, ...byHash(other) }, { url: closed.url });
    expect(codeOf(registering)).toBe('PERSISTED_QUERY_ONLY');
    expect((await post({ query: other })).body.data).toHaveProperty('viewer');
    const anonymous = await post({ query: other }, { url: closed.url, headers: { authorization: 'Bearer no' } });
    expect(codeOf(anonymous)).toBe('INVALID_TOKEN');
  });

  it('is read from a manifest of Apollo, too', async () => {
    const file = path.join(dir, 'apollo.json');
    const operations = [{ id: 'abc', name: 'Viewer', type: 'query', body: viewer }];
    await writeFile(file, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
    expect(await readManifest(file)).toEqual(new Map([['abc', viewer]]));
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no texts', '{"a": 1}'],
    [
      'no operations',
      '{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "a"}, {"body": "b"}]}',
    ],
  ])('stops the start where its manifest is %s', async (_fault, text) => {
    const file = path.join(dir, 'faulty.json');
    await writeFile(file, text);
    await expect(readManifest(file)).rejects.toThrow(/^TRUSTED_DOCUMENTS: .*faulty\.json is not a manifest/);
    await expect(readManifest(path.join(dir, 'absent.json'))).rejects.toThrow(/cannot be read \(ENOENT\)/);
  });
});
