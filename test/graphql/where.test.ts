import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { expectRefusal, globalId, graphql } from '../support/graphql.ts';
import { eventsPage, names, namesOf, readEvents, startEvents } from '../support/graphql-events.ts';

const { server, world, ids } = await startEvents();

const events = (variables: Record<string, unknown> = {}, caller = world.manager) =>
  readEvents(server, caller, variables);

describe('where', () => {
  test('takes a cursor with the same filter written in another way', async () => {
    const first = await events({ first: 1, where: { status: { in: ['ACTIVE', 'ARCHIVED'] }, capacity: { eq: null } } });
    const where = { and: [{ capacity: { eq: null } }, { status: { in: ['ARCHIVED', 'ACTIVE'] } }], name: null };
    expect(namesOf(await events({ after: first.pageInfo.endCursor, where }))).toEqual(['Future', 'Tie a', 'Tie b']);
  });

  test.each([
    [null, names],
    [{ status: null, not: null }, names],
    [{ capacity: { gte: 10, lt: 11 } }, ['Past']],
    [{ phase: { eq: 'CONCLUDED' } }, ['Past']],
    [{ phase: { eq: 'IN_PROGRESS' } }, ['Running']],
    [{ not: { phase: { eq: 'UPCOMING' } } }, names.filter((name) => name !== 'Future')],
  ])('where %j', async (where, expected) => {
    const answer = await readEvents(server, world.manager, { where });
    expect([namesOf(answer), answer.totalCount]).toEqual([expected, expected.length]);
  });

  test('a filter takes either id, but only of the right type', async () => {
    const id = ids.Past as string;
    const past = { nodes: [{ name: 'Past' }] };
    for (const eq of [id, id.toUpperCase(), globalId('Event', id)]) {
      expect(await events({ where: { id: { eq } } })).toMatchObject(past);
      expect(await events({ where: { id: { in: [eq, randomUUIDv7()] } } })).toMatchObject(past);
    }
    for (const eq of [globalId('User', id), 'x', '', globalId('Event', 'x')]) {
      const answer = await graphql(server, world.manager, eventsPage, { where: { id: { eq } } });
      expect(expectRefusal(answer, 200, 'INVALID_QUERY').extensions.errors?.[0]?.pointer).toBe('/where/id/eq');
    }
  });

  test.each([
    [{ name: {} }, '/where/name'],
    [{ phase: { eq: null } }, '/where/phase/eq'],
    [{ phase: {} }, '/where/phase'],
  ])('where %j is refused with its pointer', async (where, pointer) => {
    const answer = await graphql(server, world.manager, eventsPage, { where });
    const error = expectRefusal(answer, 200, 'INVALID_QUERY');
    expect(error.extensions.errors?.map((each) => each.pointer)).toContain(pointer);
  });

  test.each([
    [{ dateStart: { gt: '2026-02-30T00:00:00Z' } }],
    [{ dateStart: { gt: '2026-01-01' } }],
    [{ dateStart: { gt: 1 } }],
    [{ status: { eq: 1 } }],
    [{ status: { eq: 'active' } }],
    [{ status: { gt: 'ACTIVE' } }],
    [{ capacity: { eq: 1.5 } }],
    [{ capacity: { eq: 3_000_000_000 } }],
    [{ nmae: { contains: 'x' } }],
    [{ name: 'x' }],
    [{ id: { in: [null] } }],
  ])('where %j is refused by the schema', async (where) => {
    const answer = await graphql(server, world.manager, eventsPage, { where });
    expectRefusal(answer, 200, 'GRAPHQL_VALIDATION_FAILED');
    const strict = await graphql(
      server,
      world.manager,
      eventsPage,
      { where },
      { accept: 'application/graphql-response+json' },
    );
    expectRefusal(strict, 400, 'GRAPHQL_VALIDATION_FAILED');
  });
});
