import { describe, expect, it } from 'vitest';
import { errorStatus } from '../../src/http/errors.ts';
import {
  type Asker,
  graphql,
  graphqlPage,
  headersOf,
  restGet,
  restPage,
  toGraphqlWhere,
  type Where,
} from '../support/faces.ts';
import { serveParityData } from './data.ts';

const data = await serveParityData();

const nest = (depth: number): Where => (depth === 0 ? { status: 1 } : { $not: nest(depth - 1) });

describe('both faces refuse with the same code', () => {
  const filters: [string, Where, string][] = [
    ['an id that is none', { id: 'nonsense' }, '/where/id'],
    ['null where the field cannot be null', { status: { $eq: null } }, '/where/status/$eq'],
    ['no operator', { status: {} }, '/where/status'],
    ['an empty list of values', { id: { $in: [] } }, '/where/id/$in'],
    ['too many values', { capacity: { $in: Array.from({ length: 101 }, (_, index) => index) } }, '/where/capacity/$in'],
    ['an empty list of filters', { $and: [] }, '/where/$and'],
    ['an empty filter below the top', { $or: [{}] }, '/where/$or/0'],
    ['too many filters', { $or: Array.from({ length: 51 }, () => ({ capacity: { $eq: 1 } })) }, '/where/$or'],
    ['too deep a filter', nest(6), `/where${'/$not'.repeat(6)}`],
    ['a filter that is too large', { slug: { $eq: 'x'.repeat(9_000) } }, '/where'],
    ['a name that is too long', { name: 'x'.repeat(201) }, '/where/name'],
    ['an empty name', { name: '' }, '/where/name'],
    ['NUL', { slug: { $eq: 'a\0b' } }, '/where'],
    ['a lone surrogate', { slug: { $eq: '\ud800' } }, '/where'],
  ];

  it.each(filters)('%s: INVALID_QUERY, at its pointer', async (_, where, pointer) => {
    const { body } = await restGet(data.askers.owner, '/events', { where });
    const document = 'query ($where: EventWhere) { events(where: $where) { totalCount } }';
    const { errors } = await graphql(data.askers.owner, document, { where: toGraphqlWhere(where) });
    expect(body).toMatchObject({ code: 'INVALID_QUERY', errors: [{ pointer }] });
    // GraphQL has an operator in place of a bare value
    const operator = { '/where/id': '/eq', '/where/name': '/contains' }[pointer] ?? '';
    const relay = { pointer: pointer.replaceAll('$', '') + operator };
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_QUERY', errors: [relay] });
  });

  it.each([0, -1, 1_000_001])('the cap %i of a count: INVALID_QUERY, at /max', async (max) => {
    const { body } = await restGet(data.askers.owner, '/events/count', { max });
    const { errors } = await graphql(data.askers.owner, `{ events { count(max: ${max}) { value } } }`);
    const rest = body as { code: string; errors: unknown };
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_QUERY', errors: rest.errors });
    expect(rest).toMatchObject({ code: 'INVALID_QUERY', errors: [{ pointer: '/max' }] });
  });

  it.each(['x', 'AAAA', 'a'.repeat(60), '{"id":1}'])('the cursor %j: INVALID_CURSOR', async (cursor) => {
    const rest = await restPage(data.askers.owner, '/events', { token: cursor });
    const after = await graphqlPage(data.askers.owner, { after: cursor });
    const before = await graphqlPage(data.askers.owner, { last: 5, before: cursor });
    expect([rest.code, after.code, before.code]).toEqual(Array(3).fill('INVALID_CURSOR'));
  });

  it('a cursor under another filter, order or list: INVALID_CURSOR', async () => {
    const asker = data.askers.owner;
    const { next } = (await restPage(asker, '/events', { where: { status: 1 }, limit: 3 })).value;
    const answers = await Promise.all([
      restPage(asker, '/events', { token: next }),
      graphqlPage(asker, { after: next }),
      graphqlPage(asker, {
        after: next,
        where: { status: { eq: 'ACTIVE' } },
        orderBy: { field: 'CREATED_AT', direction: 'ASC' },
      }),
      restPage(asker, `/events/${data.eventId}/subscriptions`, { token: next }),
      graphqlPage(asker, { event: data.eventId, after: next }),
    ]);
    expect(answers.map((each) => each.code)).toEqual(Array(5).fill('INVALID_CURSOR'));
  });
});

describe('one lock on both doors', () => {
  const broken: [string, (asker: Asker) => Record<string, string>, keyof typeof errorStatus][] = [
    ['no token', ({ organizationId }) => ({ 'x-organization-id': organizationId }), 'INVALID_TOKEN'],
    ['a forged token', (asker) => headersOf({ ...asker, token: `${asker.token}x` }), 'INVALID_TOKEN'],
    ['no organization', ({ token }) => ({ authorization: `Bearer ${token}` }), 'ORGANIZATION_REQUIRED'],
    ['no id for an organization', (asker) => headersOf({ ...asker, organizationId: 'x' }), 'ORGANIZATION_REQUIRED'],
    [
      'the organization of others',
      (asker) => headersOf({ ...asker, organizationId: data.foreigner.organizationId }),
      'ORGANIZATION_FORBIDDEN',
    ],
    [
      'an unknown organization',
      (asker) => headersOf({ ...asker, organizationId: '0199b5a0-7c3a-7000-8000-0123456789ab' }),
      'ORGANIZATION_FORBIDDEN',
    ],
  ];

  it.each(broken)('%s', async (_, headers, code) => {
    const own = headers(data.askers.owner);
    const rest = await fetch(`${data.server.url}/events`, { headers: own });
    expect([rest.status, ((await rest.json()) as { code: string }).code]).toEqual([errorStatus[code], code]);
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const relay = await fetch(`${data.server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept, ...own },
        body: JSON.stringify({ query: '{ events(first: 1) { nodes { id } } }' }),
      });
      const { errors } = (await relay.json()) as { errors: { extensions: { code: string } }[] };
      expect([relay.status, errors[0]?.extensions.code]).toEqual([errorStatus[code], code]);
    }
  });
});
