import { describe, expect, it } from 'vitest';
import { graphql, graphqlPage, restGet, restPage } from '../support/faces.ts';
import { orderedIds } from '../support/oracle.ts';
import { serveParityData } from './data.ts';
import { ids, walk } from './walk.ts';

const data = await serveParityData();

const visibleTo = (role: 'owner' | 'manager' | 'member') =>
  data.events.filter((row) => role !== 'member' || row.status !== 0);

describe('visibility', () => {
  it.each(['owner', 'manager', 'member'] as const)(
    'of events to a %s is the same in lists, walks and counts of both faces',
    async (role) => {
      const expected = orderedIds(visibleTo(role), {}, 'date_start', 1);
      const asker = data.askers[role];
      expect(ids(await walk((page) => (page % 2 === 0 ? 'rest' : 'graphql'), asker, {}, 1, 50))).toEqual(expected);
      expect((await restGet(asker, '/events/count')).body).toBe(expected.length);
      expect(await graphql(asker, '{ events(first: 0) { totalCount } }')).toMatchObject({
        data: { events: { totalCount: expected.length } },
      });
    },
  );

  it('of subscriptions to a member is only their own', async () => {
    const own = data.subscriptions.filter((row) => row.user_id === data.userIds.member);
    const expected = orderedIds(own, {}, 'created_at', 1);
    const asker = data.askers.member;
    const path = `/events/${data.eventId}/subscriptions`;
    expect((await restPage(asker, path, {})).value.ids).toEqual(expected);
    expect((await graphqlPage(asker, { event: data.eventId })).value.ids).toEqual(expected);
    expect((await restGet(asker, `${path}/count`)).body).toBe(expected.length);
    const foreign = data.subscriptions.find((row) => row.user_id !== data.userIds.member);
    expect((await restGet(asker, `${path}/${foreign?.id}`)).status).toBe(404);
  });

  it('of a draft does not exist for a member, on either face', async () => {
    const asker = data.askers.member;
    expect((await restGet(asker, `/events/${data.draftId}`)).status).toBe(404);
    expect((await restGet(asker, `/events/${data.draftId}/subscriptions`)).status).toBe(404);
    expect((await restGet(asker, `/events/${data.draftId}/subscriptions/count`)).status).toBe(404);
    expect(await graphql(asker, 'query ($id: ID!) { event(id: $id) { name } }', { id: data.draftId })).toEqual(
      expect.objectContaining({ data: { event: null } }),
    );
  });

  it('is applied to each use of a cursor: one from a manager shows a member no drafts', async () => {
    const { value } = await restPage(data.askers.manager, '/events', { limit: 10 });
    const rest = await restPage(data.askers.member, '/events', { token: value.next, limit: 50 });
    const visible = new Set(visibleTo('member').map((row) => row.id));
    const expected = orderedIds(data.events, {}, 'date_start', 1)
      .slice(10)
      .filter((id) => visible.has(id));
    expect(rest.value.ids).toEqual(expected.slice(0, 50));
  });

  it('ends at the organization, on both faces', async () => {
    expect((await restGet(data.foreigner, `/events/${data.eventId}`)).status).toBe(404);
    expect((await restPage(data.foreigner, '/events', {})).value.ids).toHaveLength(20);
    const { value } = await restPage(data.askers.manager, '/events', { limit: 10 });
    expect((await restPage(data.foreigner, '/events', { token: value.next })).code).toBe('INVALID_CURSOR');
    expect((await graphqlPage(data.foreigner, { after: value.next })).code).toBe('INVALID_CURSOR');
  });
});
