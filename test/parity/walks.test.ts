import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Event } from '../../src/domain/event/event.entity.ts';
import {
  type Asker,
  type FacePage,
  graphql,
  graphqlPage,
  restGet,
  restPage,
  toGraphqlWhere,
  type Where,
} from '../support/faces.ts';
import { orderedIds } from '../support/oracle.ts';
import { type EventSeed, serveParityData, toEvent } from './data.ts';

const data = await serveParityData();

type Direction = 1 | -1;
const orderOf = (direction: Direction) => ({ field: 'DATE_START', direction: direction === 1 ? 'ASC' : 'DESC' });

/** Every page of a walk by REST, from the first on. */
async function walk(asker: Asker, sort: Direction, limit: number) {
  const pages: FacePage[] = [];
  for (let token: string | null = null; pages.length === 0 || token !== null; ) {
    const page: FacePage = (await restPage(asker, '/events', { sort, limit, token })).value;
    pages.push(page);
    token = page.next;
  }
  return pages;
}

describe('both faces refuse with the same code', () => {
  it.each(['x', 'AAAA', 'a'.repeat(60), '{"id":1}'])('the cursor %j: INVALID_CURSOR', async (cursor) => {
    const rest = await restPage(data.askers.owner, '/events', { token: cursor });
    const after = await graphqlPage(data.askers.owner, { after: cursor });
    const before = await graphqlPage(data.askers.owner, { last: 5, before: cursor });
    expect([rest.code, after.code, before.code]).toEqual(Array(3).fill('INVALID_CURSOR'));
  });

  it('a cursor under another order: INVALID_CURSOR', async () => {
    const { next } = (await restPage(data.askers.owner, '/events', { limit: 3 })).value;
    const orderBy = { field: 'CREATED_AT', direction: 'ASC' };
    expect((await graphqlPage(data.askers.owner, { after: next, orderBy })).code).toBe('INVALID_CURSOR');
  });
});

describe('the cursors of a page', () => {
  async function edgesOf(asker: Asker) {
    const { data: found } = await graphql(asker, '{ events(first: 30) { edges { cursor } } }');
    return (found as unknown as { events: { edges: { cursor: string }[] } }).events.edges;
  }

  it.each([1, -1] as const)('lead back as they led forth (sort %i)', async (direction) => {
    const asker = data.askers.manager;
    const orderBy = orderOf(direction);
    const pages = await walk(asker, direction, 20);
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

  it('of an edge work as token, on both of its sides', async () => {
    const asker = data.askers.manager;
    const all = orderedIds(data.events, {}, 'date_start', 1);
    for (const [index, { cursor }] of (await edgesOf(asker)).entries()) {
      const later = await restPage(asker, '/events', { token: cursor, limit: 3 });
      expect(later.value.ids).toEqual(all.slice(index + 1, index + 4));
      const sooner = await restPage(asker, '/events', { token: cursor, limit: 3, sort: -1 });
      expect(sooner.value.ids).toEqual(all.slice(Math.max(0, index - 3), index).toReversed());
    }
  });

  it('bound a range from both ends in GraphQL', async () => {
    const asker = data.askers.manager;
    const all = orderedIds(data.events, {}, 'date_start', 1);
    const edges = await edgesOf(asker);
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
  const em = data.server.orm.em.fork();
  /** An event so many minutes after a year has begun. */
  const row = (year: number, minute: number): EventSeed => ({
    ...(data.events[1] as EventSeed),
    id: randomUUIDv7(),
    slug: `walk-${minute}-${randomUUIDv7()}`,
    date_start: new Date(Date.UTC(year, 0, 1, 0, minute)).toISOString(),
    date_end: `${year + 1}-01-01T00:00:00.000Z`,
  });
  const insert = (rows: EventSeed[]) =>
    em.insertMany(
      Event,
      rows.map((each) => toEvent(each, data.askers.owner.organizationId)),
    );

  it('sees every row that stays exactly once under concurrent inserts and deletes, on changing faces', async () => {
    const asker = data.askers.owner;
    const where: Where = { slug: { $ne: 'none' }, date_start: { $gte: '2027-01-01T00:00:00.000Z' } };
    const stay = Array.from({ length: 30 }, (_, index) => row(2027, index));
    await insert(stay);
    const seen: string[] = [];
    let cursor: string | null = null;
    let page: FacePage;
    let count = 0;
    do {
      page = (
        await (count % 2 === 0
          ? graphqlPage(asker, { where: toGraphqlWhere(where), first: 4, after: cursor })
          : restPage(asker, '/events', { where, limit: 4, token: cursor }))
      ).value;
      seen.push(...page.ids);
      cursor = page.next;
      await insert([row(2027, 0), row(2027, 0)]);
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
    const rows = Array.from({ length: 6 }, (_, index) => row(2029, index));
    await insert(rows);
    const first = (await restPage(asker, '/events', { where, limit: 3 })).value;
    await em.nativeDelete(Event, { id: rows.slice(3).map((each) => each.id) });
    const empty = (await restPage(asker, '/events', { where, limit: 3, token: first.next })).value;
    expect(empty).toMatchObject({ ids: [], hasNext: false, hasPrevious: true, next: null });
    const back = await restPage(asker, '/events', { where, token: empty.previous, limit: 3 });
    expect(back.value.ids).toEqual(first.ids);
    await em.nativeDelete(Event, { slug: { $like: 'walk-%' } });
  });
});

describe('visibility', () => {
  it('of a draft, or of a subscription of others, does not exist for a member', async () => {
    const asker = data.askers.member;
    expect((await restGet(asker, `/events/${data.draftId}`)).status).toBe(404);
    expect((await restGet(asker, `/events/${data.draftId}/subscriptions`)).status).toBe(404);
    expect((await restGet(asker, `/events/${data.draftId}/subscriptions/count`)).status).toBe(404);
    const foreign = data.subscriptions.find((row) => row.user_id !== data.askers.member.userId);
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
});
