import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Event } from '../../src/domain/event/event.entity.ts';
import { type FacePage, graphql, graphqlPage, restGet, restPage, type Where } from '../support/faces.ts';
import { type OracleRow, orderedIds } from '../support/oracle.ts';
import { serveParityData, toEvent } from './data.ts';
import { eventPage, ids, walk } from './walk.ts';

const data = await serveParityData();

describe('the cursors of a page', () => {
  it.each([1, -1] as const)('lead back as they led forth (sort %i)', async (direction) => {
    const asker = data.askers.manager;
    const orderBy = { field: 'DATE_START', direction: direction === 1 ? 'ASC' : 'DESC' };
    const pages = await walk(() => 'rest', asker, {}, direction, 20);
    for (let index = pages.length - 1; index > 0; index -= 1) {
      const token = pages[index]?.previous as string;
      const expected = pages[index - 1]?.ids as string[];
      const listed = await restPage(asker, '/events', { token, sort: direction, limit: 20 });
      expect(listed.value.ids).toEqual(expected);
      expect(listed.value).toMatchObject({ hasNext: true, hasPrevious: index > 1 });
      const nearestFirst = await restPage(asker, '/events', { token, sort: -direction, limit: 20 });
      expect(nearestFirst.value.ids).toEqual(expected.toReversed());
      expect(nearestFirst.value).toMatchObject({ hasNext: index > 1, hasPrevious: true });
      const relay = await graphqlPage(asker, { last: 20, before: token, orderBy });
      expect(relay.value.ids).toEqual(expected);
      expect(relay.value).toMatchObject({ hasNext: true, hasPrevious: index > 1 });
    }
  });

  it('walk back as documented: prev with sort=-1, then next with sort=-1', async () => {
    const asker = data.askers.manager;
    const pages = await walk(() => 'rest', asker, {}, 1, 20);
    let page = (await restPage(asker, '/events', { token: pages.at(-1)?.previous, sort: -1, limit: 20 })).value;
    const seen = [...page.ids];
    while (page.hasNext) {
      page = (await restPage(asker, '/events', { token: page.next, sort: -1, limit: 20 })).value;
      seen.push(...page.ids);
    }
    expect(seen).toEqual(ids(pages.slice(0, -1)).toReversed());
  });

  it('of an edge work as token, on both of its sides', async () => {
    const asker = data.askers.manager;
    const all = orderedIds(data.events, {}, 'date_start', 1);
    const result = await graphql(asker, '{ events(first: 30) { edges { cursor } } }');
    const edges = (result.data as unknown as { events: { edges: { cursor: string }[] } }).events.edges;
    for (const [index, { cursor }] of edges.entries()) {
      const later = await restPage(asker, '/events', { token: cursor, limit: 3 });
      expect(later.value.ids).toEqual(all.slice(index + 1, index + 4));
      const sooner = await restPage(asker, '/events', { token: cursor, limit: 3, sort: -1 });
      expect(sooner.value.ids).toEqual(all.slice(Math.max(0, index - 3), index).toReversed());
    }
  });

  it('bound a range from both ends in GraphQL', async () => {
    const asker = data.askers.manager;
    const all = orderedIds(data.events, {}, 'date_start', 1);
    const result = await graphql(asker, '{ events(first: 30) { edges { cursor } } }');
    const edges = (result.data as unknown as { events: { edges: { cursor: string }[] } }).events.edges;
    const [after, before] = [edges[4]?.cursor, edges[20]?.cursor];
    const first = await graphqlPage(asker, { after, before, first: 6 });
    expect(first.value).toMatchObject({ ids: all.slice(5, 11), hasNext: true, hasPrevious: true });
    const last = await graphqlPage(asker, { after, before, last: 6 });
    expect(last.value).toMatchObject({ ids: all.slice(14, 20), hasNext: true, hasPrevious: true });
    const crossed = await graphqlPage(asker, { after: before, before: after, first: 6 });
    expect(crossed.value).toMatchObject({ ids: [], hasNext: true, hasPrevious: true, next: null, previous: null });
  });
});

describe('a walk while rows come and go', () => {
  it('sees every row that stays exactly once under concurrent inserts and deletes, on changing faces', async () => {
    const asker = data.askers.owner;
    const where: Where = { slug: { $ne: 'none' }, date_start: { $gte: '2027-01-01T00:00:00.000Z' } };
    const em = data.server.orm.em.fork();
    const row = (minute: number): OracleRow => ({
      ...(data.events[1] as OracleRow),
      id: randomUUIDv7(),
      slug: `walk-${minute}-${randomUUIDv7()}`,
      date_start: new Date(Date.parse('2027-01-01T00:00:00Z') + minute * 60_000).toISOString(),
      date_end: '2028-01-01T00:00:00.000Z',
    });
    const insert = async (rows: OracleRow[]) => {
      await em.insertMany(
        Event,
        rows.map((each) => toEvent(each, asker.organizationId)),
      );
    };
    const stay = Array.from({ length: 30 }, (_, index) => row(index));
    await insert(stay);
    const seen: string[] = [];
    let cursor: string | null = null;
    let page: FacePage;
    let count = 0;
    do {
      page = await eventPage(count % 2 === 0 ? 'graphql' : 'rest', asker, where, 1, 4, cursor);
      seen.push(...page.ids);
      cursor = page.next;
      await insert([row(0), row(0)]);
      const gone = page.ids.at(-1) as string;
      await em.nativeDelete(Event, { id: gone });
      count += 1;
    } while (page.hasNext);
    expect(seen).toEqual(stay.map((each) => each.id));
    await em.nativeDelete(Event, { slug: { $like: 'walk-%' } });
  });

  it('is led back from a page whose rows are all gone', async () => {
    const asker = data.askers.owner;
    const where: Where = { date_start: { $gte: '2029-01-01T00:00:00.000Z' } };
    const em = data.server.orm.em.fork();
    const rows = Array.from(
      { length: 6 },
      (_, index): OracleRow => ({
        ...(data.events[1] as OracleRow),
        id: randomUUIDv7(),
        slug: `gone-${index}`,
        date_start: new Date(Date.parse('2029-01-01T00:00:00Z') + index * 60_000).toISOString(),
        date_end: '2030-01-01T00:00:00.000Z',
      }),
    );
    await em.insertMany(
      Event,
      rows.map((each) => toEvent(each, asker.organizationId)),
    );
    const first = await eventPage('rest', asker, where, 1, 3, null);
    await em.nativeDelete(Event, { id: rows.slice(3).map((each) => each.id) });
    const empty = await eventPage('rest', asker, where, 1, 3, first.next);
    expect(empty).toMatchObject({ ids: [], hasNext: false, hasPrevious: true, next: null });
    const back = await restPage(asker, '/events', { where, token: empty.previous, limit: 3 });
    expect(back.value.ids).toEqual(first.ids);
    await em.nativeDelete(Event, { slug: { $like: 'gone-%' } });
  });
});

describe('visibility', () => {
  it('of a draft, or of a subscription of others, does not exist for a member', async () => {
    const asker = data.askers.member;
    expect((await restGet(asker, `/events/${data.draftId}`)).status).toBe(404);
    expect((await restGet(asker, `/events/${data.draftId}/subscriptions`)).status).toBe(404);
    expect((await restGet(asker, `/events/${data.draftId}/subscriptions/count`)).status).toBe(404);
    expect(await graphql(asker, 'query ($id: ID!) { event(id: $id) { name } }', { id: data.draftId })).toEqual(
      expect.objectContaining({ data: { event: null } }),
    );
    const foreign = data.subscriptions.find((row) => row.user_id !== data.userIds.member);
    expect((await restGet(asker, `/events/${data.eventId}/subscriptions/${foreign?.id}`)).status).toBe(404);
  });

  it('is applied to each use of a cursor: one from a manager shows a member no drafts', async () => {
    const { value } = await restPage(data.askers.manager, '/events', { limit: 10 });
    const rest = await restPage(data.askers.member, '/events', { token: value.next, limit: 50 });
    const drafts = new Set(data.events.filter(({ status }) => status === 0).map(({ id }) => id));
    const all = orderedIds(data.events, {}, 'date_start', 1);
    const expected = all.slice(10).filter((id) => !drafts.has(id));
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
