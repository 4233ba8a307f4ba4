import { describe, expect, it } from 'vitest';
import { graphql, graphqlPage, restGet, restPage, toGraphqlWhere, type Where } from '../support/faces.ts';
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
