import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FaceAnswer,
  type FacePage,
  graphql,
  graphqlPage,
  restCount,
  restGet,
  restPage,
  toGraphqlWhere,
  type Where,
} from '../support/faces.ts';
import { matches, orderedIds } from '../support/oracle.ts';
import { filtersOf } from '../support/random-where.ts';
import { serveParityData } from './data.ts';

const data = await serveParityData();

const status = fc.constantFrom(0, 1, 2, 3);
const capacity = fc.constantFrom(0, 10, 20, 30, 40, 50, 60);
const moment = fc
  .integer({ min: 0, max: 45 })
  .map((hours) => new Date(Date.parse('2026-06-01T10:00:00.000Z') + hours * 3_599_999).toISOString());
const choice = (members: string[]) =>
  fc.oneof(fc.constantFrom(...members), fc.record({ $ne: fc.constantFrom(...members) }));

const leaf: fc.Arbitrary<Where> = fc.oneof(
  fc.record({
    status: fc.oneof(
      status,
      fc.record({ $ne: status }),
      fc.record({ $in: fc.array(status, { minLength: 1, maxLength: 3 }) }),
    ),
  }),
  fc.record({
    capacity: fc.oneof(
      capacity,
      fc.constant(null),
      fc.record({ $ne: fc.option(capacity) }),
      fc.record({ $gt: capacity }),
      fc.record({ $gte: capacity, $lt: capacity }),
      fc.record({ $lte: capacity }),
    ),
  }),
  fc.record({ date_start: fc.oneof(moment, fc.record({ $gt: moment }), fc.record({ $gte: moment, $lte: moment })) }),
  fc.record({ date_end: fc.record({ $lt: moment }) }),
  fc.record({ visibility: choice(['public', 'organization']) }),
  fc.record({ registration: choice(['open', 'approval', 'closed']) }),
  fc.record({ slug: fc.constantFrom('event-5', 'no-such-slug') }),
  fc.record({ name: fc.constantFrom('100%', 'été', 'jazz', 'É', '%', '_', '\\', 'a', ' 1', 'MÜLLER') }),
);
const anyWhere = filtersOf(leaf);

const request = fc.record({
  where: anyWhere,
  direction: fc.constantFrom(1 as const, -1 as const),
  sizes: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 }),
  faces: fc.array(fc.constantFrom('rest', 'graphql'), { minLength: 1, maxLength: 3 }),
  role: fc.constantFrom('owner' as const, 'manager' as const, 'member' as const),
});

describe('any filter, direction and page sizes, on either face or changing ones', () => {
  it('list, walk back and count what an oracle over the same rows does', async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ where, direction, sizes, faces, role }) => {
        const asker = data.askers[role];
        const visible = data.events.filter((row) => role !== 'member' || row.status !== 0);
        const expected = orderedIds(visible, where, 'date_start', direction);
        const orderBy = { field: 'DATE_START', direction: direction === 1 ? 'ASC' : 'DESC' };
        const relayWhere = toGraphqlWhere(where);
        const seen: string[] = [];
        let cursor: string | null = null;
        let page: FacePage;
        let count = 0;
        do {
          const size = sizes[count % sizes.length] as number;
          const answer: FaceAnswer<FacePage> =
            faces[count % faces.length] === 'rest'
              ? await restPage(asker, '/events', { where, sort: direction, limit: size, token: cursor })
              : await graphqlPage(asker, { where: relayWhere, orderBy, first: size, after: cursor });
          expect(answer.code).toBeNull();
          page = answer.value;
          expect(page.hasPrevious).toBe(seen.length > 0);
          expect(page.ids).toEqual(expected.slice(seen.length, seen.length + size));
          seen.push(...page.ids);
          cursor = page.next;
          count += 1;
        } while (page.hasNext);
        expect(seen).toEqual(expected);

        // one page back, by the other face
        if (page.previous !== null && page.hasPrevious) {
          const before = expected.slice(0, expected.length - page.ids.length);
          const back = await graphqlPage(asker, { where: relayWhere, orderBy, last: 5, before: page.previous });
          expect(back.value.ids).toEqual(before.slice(-5));
        }
        const number = visible.filter((row) => matches(row, where)).length;
        expect((await restGet(asker, '/events/count', { where })).body).toBe(number);
        const counted = await graphql(
          asker,
          'query ($where: EventWhere) { events(where: $where, first: 0) { totalCount } }',
          { where: relayWhere },
        );
        expect(counted).toMatchObject({ data: { events: { totalCount: number } } });
        for (const max of [1, number - 1, number, number + 1].filter((each) => each > 0)) {
          const capped = { value: Math.min(number, max), exact: number <= max };
          expect(await restCount(asker, '/events/count', { where, max })).toEqual(capped);
          const answer = await graphql(
            asker,
            'query ($where: EventWhere, $max: Int) { events(where: $where) { count(max: $max) { value exact } } }',
            { where: relayWhere, max },
          );
          expect(answer).toMatchObject({ data: { events: { count: capped } } });
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
