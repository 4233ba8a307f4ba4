import { describe, expect, it } from 'vitest';
import { connectionPage, type FacePage, restPage } from '../support/faces.ts';
import { insertEvent } from '../support/fixtures.ts';
import { graphql, type Page, send } from '../support/send.ts';
import { createTeam, serveTeam } from '../support/server.ts';

const count = 17;
const { server, team } = await serveTeam();
const { organizationId, userId } = team.manager;
const { manager: stranger } = await createTeam(server);
const { id: eventId } = await insertEvent(server.orm, { organizationId });
await server.execute(
  `insert into subscription (id, event_id, user_id, status, answers, created_at, updated_at)
   select gen_random_uuid(), ?, ?, 'cancelled', jsonb_build_object('text', repeat('x', 1000000)),
     date_trunc('hour', now()) + n / 2 * interval '1 minute', now()
   from generate_series(1, ?) n`,
  [eventId, userId, count],
);
const order = await server.execute<{ id: string }>(
  'select id from subscription where event_id = ? order by created_at, id',
  [eventId],
);
/** Oldest first. */
const ids = order.map(({ id }) => id);
expect(ids).toHaveLength(count);

const asker = { ...team.manager, url: server.url };
const path = `/events/${eventId}/subscriptions`;

async function rest(query: Record<string, unknown>): Promise<FacePage> {
  const { code, value } = await restPage(asker, path, query);
  expect(code).toBeNull();
  return value;
}

async function relay(variables: Record<string, unknown>, node = 'answers'): Promise<FacePage> {
  const open = `event(id: "${eventId}") { connection: subscriptions`;
  const { code, value } = await connectionPage(asker, { open, where: 'EventSubscriptionWhere', node }, variables);
  expect(code).toBeNull();
  return value;
}

/** Every page from one end to the other. */
async function walk(
  page: (cursor: string | null) => Promise<FacePage>,
  onward: (listed: FacePage) => string | null = ({ hasNext, next }) => (hasNext ? next : null),
): Promise<FacePage[]> {
  const pages: FacePage[] = [];
  for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
    const listed = await page(cursor);
    expect(listed.ids.length).toBeGreaterThan(0);
    pages.push(listed);
    cursor = onward(listed);
    if (pages.length > count) throw new Error('the walk has no end');
  }
  return pages;
}

describe('a page whose rows are too large ends early, and no walk misses a row', () => {
  it.each([1, -1] as const)('by REST, sort=%i, and back by prev', async (sort) => {
    const expected = sort === 1 ? ids : ids.toReversed();
    const pages = await walk((token) => rest({ sort, token }));
    expect(pages.flatMap((page) => page.ids)).toEqual(expected);
    expect(pages.map((page) => page.ids.length)).toEqual([3, 3, 3, 3, 3, 2]);
    expect(pages.map((page) => page.hasPrevious)).toEqual(pages.map((_, index) => index > 0));
    // prev lists the page before in the order of sort
    const last = pages.at(-1) as FacePage;
    const back = [last];
    for (let page = last; page.previous; ) {
      page = await rest({ sort, token: page.previous });
      expect(page.hasNext).toBe(true);
      back.unshift(page);
    }
    expect(back.flatMap((page) => page.ids)).toEqual(expected);
    // and, against the sort, nearest first
    const turned = await walk((token) => rest({ sort: -sort, token: token ?? last.previous }));
    expect(turned.flatMap((page) => page.ids)).toEqual(expected.slice(0, -2).toReversed());
  });

  it('by a query in the body, and with users', async () => {
    const body = { include: 'user', limit: 50, where: { status: 'cancelled' } };
    const first = await send<Page<{ id: string }>>(server, team.manager, `POST ${path}/query`, body);
    expect([first.status, first.body.has_more]).toEqual([200, true]);
    const next = await send<Page<{ id: string }>>(server, team.manager, `POST ${path}/query`, {
      ...body,
      token: first.body.next,
    });
    expect([...first.body.items, ...next.body.items].map(({ id }) => id)).toEqual(ids.slice(0, 6));
  });

  it.each(['first', 'last'] as const)('by GraphQL, %s', async (end) => {
    const [bound, onward] = end === 'first' ? (['after', 'next'] as const) : (['before', 'previous'] as const);
    const pages = await walk(
      (cursor) => relay({ [end]: 50, [bound]: cursor }),
      (page) => ((end === 'first' ? page.hasNext : page.hasPrevious) ? page[onward] : null),
    );
    const inOrder = end === 'first' ? pages : pages.toReversed();
    expect(inOrder.flatMap((page) => page.ids)).toEqual(ids);
    expect(pages.map((page) => page.ids.length)).toEqual([3, 3, 3, 3, 3, 2]);
    const others = pages.map((page) => (end === 'first' ? page.hasPrevious : page.hasNext));
    expect(others).toEqual(pages.map((_, index) => index > 0));
  });

  it('and a default page of GraphQL is answered, compiled or not', async () => {
    for (let run = 0; run < 3; run += 1) {
      const page = await relay({}, 'answers user { name }');
      expect(page).toMatchObject({ ids: ids.slice(0, 3), hasNext: true, hasPrevious: false });
    }
  });

  it('a size that fits is kept to, and a page that ends exactly there says whether there is more', async () => {
    expect(await rest({ limit: 2 })).toMatchObject({ ids: ids.slice(0, 2), hasNext: true });
    expect(await rest({ limit: 3 })).toMatchObject({ ids: ids.slice(0, 3), hasNext: true });
    expect(await relay({ last: 3 })).toMatchObject({ ids: ids.slice(-3), hasPrevious: true, hasNext: false });
  });

  it('without the large column the page is as long as ever', async () => {
    expect((await rest({ fields: 'id' })).ids).toEqual(ids);
  });
});

it('pages of several events that are too large together are refused, and none ends early', async () => {
  const { organizationId } = team.manager;
  const { id } = await insertEvent(server.orm, { organizationId });
  const document = `{ events { nodes { databaseId subscriptions { nodes { databaseId answers } } } } }`;
  const answer = await graphql(server, team.manager, document);
  expect(answer.errors?.[0]).toMatchObject({
    message: expect.stringContaining('16 MB'),
    extensions: { code: 'INVALID_QUERY' },
  });
  await server.execute('delete from event where id = ?', [id]);
});

it('texts count as the JSON that they become: a page of descriptions full of escapes ends early as well', async () => {
  const { organizationId } = stranger;
  const events: string[] = [];
  for (let index = 0; index < 45; index += 1) {
    const dateStart = new Date(Date.UTC(2027, 0, 1 + index));
    const { id } = await insertEvent(server.orm, { organizationId, description: '\u0001'.repeat(20_000), dateStart });
    events.push(id);
  }
  const list = { open: 'events', where: 'EventWhere', node: 'description' };
  const reader = { ...stranger, url: server.url };
  const pages = await walk(async (after) => (await connectionPage(reader, list, { after })).value);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flatMap((page) => page.ids)).toEqual(events);
});
