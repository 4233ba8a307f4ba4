import { describe, expect, it } from 'vitest';
import {
  type FacePage,
  graphql,
  graphqlPage,
  restCount,
  restGet,
  restPage,
  toGraphqlWhere,
  type Where,
} from '../support/faces.ts';
import { orderedIds } from '../support/oracle.ts';
import { shared } from '../support/shared.ts';
import { createParityData } from './data.ts';

const data = await shared(createParityData());

describe('the subscriptions of an event', () => {
  const path = () => `/events/${data.eventId}/subscriptions`;
  const cases: [string, Where][] = [
    ['no filter', {}],
    ['a status', { status: 'accepted' }],
    ['not checked in', { checked_in_at: null }],
    ['checked in', { checked_in_at: { $ne: null } }],
    ['not checked in before, null included', { $not: { checked_in_at: { $lt: '2026-03-01T00:00:05.000Z' } } }],
  ];

  it.each(cases)('by %s are the same walk on both faces', async (_, where) => {
    const expected = orderedIds(data.subscriptions, where, 'created_at', 1);
    const seen: string[] = [];
    let cursor: string | null = null;
    let more = true;
    for (let count = 0; more; count += 1) {
      const rest: FacePage = (await restPage(data.askers.manager, path(), { where, limit: 11, token: cursor })).value;
      const variables = { event: data.eventId, where: toGraphqlWhere(where, ['status']), first: 11, after: cursor };
      const relay: FacePage = (await graphqlPage(data.askers.manager, variables)).value;
      expect(relay.ids).toEqual(rest.ids);
      expect(relay.hasNext).toBe(rest.hasNext);
      if (rest.hasNext) expect(relay.next).toBe(rest.next);
      seen.push(...rest.ids);
      cursor = count % 2 === 0 ? relay.next : rest.next;
      more = rest.hasNext;
    }
    expect(seen).toEqual(expected);
    const { body } = await restGet(data.askers.manager, `${path()}/count`, { where });
    expect(body).toBe(expected.length);
    for (const max of [expected.length - 1, expected.length]) {
      const capped = { value: max, exact: max === expected.length };
      expect(await restCount(data.askers.manager, `${path()}/count`, { where, max })).toEqual(capped);
      const answer = await graphql(
        data.askers.manager,
        `query ($event: ID!, $where: EventSubscriptionWhere, $max: Int) {
          event(id: $event) { subscriptions(where: $where) { count(max: $max) { value exact } } }
        }`,
        { event: data.eventId, where: toGraphqlWhere(where, ['status']), max },
      );
      expect(answer).toMatchObject({ data: { event: { subscriptions: { count: capped } } } });
    }
  });

  it('refuse the cursor of another event on both faces', async () => {
    const { value } = await restPage(data.askers.manager, path(), { limit: 5 });
    const other = data.events.find((row) => row.status === 2)?.id;
    const rest = await restPage(data.askers.manager, `/events/${other}/subscriptions`, { token: value.next });
    const relay = await graphqlPage(data.askers.manager, { event: other, after: value.next });
    expect([rest.code, relay.code]).toEqual(['INVALID_CURSOR', 'INVALID_CURSOR']);
  });
});
