import { describe, expect, it } from 'vitest';
import { subscriptionStatuses } from '../../src/domain/subscription/subscription.entity.ts';
import { connectionPage } from '../support/connection-page.ts';
import { type Asker, headersOf, restCount, restGet, restPage, toGraphqlWhere, type Where } from '../support/faces.ts';
import { insertEvent, insertMember, insertOrganization, insertSubscription } from '../support/fixtures.ts';
import { type OracleRow, orderedIds } from '../support/oracle.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { signIn } from '../support/sign-in.ts';

// Events by the viewer's newest subscription to them (reference/lists.md#viewer-subscription).

const server = await shared(startTestServer());
const { orm } = server;
const { id: organizationId } = await insertOrganization(orm);
const person = async (role: 'manager' | 'member', organization = organizationId) => {
  const { id, email } = await insertMember(orm, { organizationId: organization, role });
  const asker: Asker = { url: server.url, token: (await signIn(server.url, email)).accessToken, organizationId };
  return { id, asker };
};
const manager = await person('manager');
const member = await person('member');
const other = await person('member');
const rows: OracleRow[] = [];
const hour = 3_600_000;
const start = Date.parse('2026-06-01T10:00:00Z');

/** An event, and the statuses of a person's subscriptions to it, oldest first. */
async function event(index: number, status: number, subscribed: Record<string, readonly string[]>): Promise<void> {
  const dateStart = new Date(start + index * hour);
  const { id } = await insertEvent(orm, { organizationId, status, dateStart });
  for (const [userId, statuses] of Object.entries(subscribed)) {
    for (const [age, each] of statuses.entries()) {
      const createdAt = new Date(start - hour + age);
      await insertSubscription(orm, { eventId: id, userId, status: each as 'accepted', createdAt });
    }
  }
  const newest = Object.fromEntries(Object.entries(subscribed).map(([user, each]) => [user, each.at(-1) ?? null]));
  rows.push({ id, status, date_start: dateStart.toISOString(), ...newest } as OracleRow);
}

for (const [index, status] of subscriptionStatuses.entries()) {
  await event(index, 1, { [member.id]: [status], [manager.id]: ['declined'] });
  await event(10 + index, 1 + (index % 3), { [member.id]: ['cancelled', 'declined', status] });
  await event(20 + index, 1, { [other.id]: [status] });
}
await event(30, 1, { [member.id]: ['accepted', 'cancelled'] });
await event(31, 0, { [member.id]: ['accepted'], [manager.id]: ['accepted'] });
await event(32, 2, {});

const viewers = [
  ['a member', member, rows.filter(({ status }) => status !== 0)],
  ['another member', other, rows.filter(({ status }) => status !== 0)],
  ['a manager', manager, rows],
] as const;

const filters: Where[] = [
  ...subscriptionStatuses.map((status) => ({ viewer_subscription: status })),
  { viewer_subscription: { $eq: 'accepted' } },
  { viewer_subscription: { $in: ['accepted', 'pending'] } },
  { viewer_subscription: { $in: ['cancelled'] } },
  { viewer_subscription: { $ne: 'accepted' } },
  { viewer_subscription: null },
  { viewer_subscription: { $eq: null } },
  { viewer_subscription: { $ne: null } },
  { $not: { viewer_subscription: 'accepted' } },
  { $not: { viewer_subscription: null } },
  { $not: { viewer_subscription: { $in: ['accepted', 'declined'] } } },
  { $or: [{ viewer_subscription: 'waitlisted' }, { viewer_subscription: null, status: 1 }] },
  { $not: { $or: [{ viewer_subscription: 'waitlisted' }, { status: 2 }] } },
  { viewer_subscription: { $ne: null }, status: 1, date_start: { $gte: new Date(start + 2 * hour).toISOString() } },
];

const opening = { open: 'events', where: 'EventWhere' };

const relayWhere = (where: Where) => toGraphqlWhere(where, ['status', 'viewer_subscription']);

describe.each(viewers)('for %s', (_, { id, asker }, visible) => {
  it.each(filters)('events by %j are those of their newest subscription, on both faces', async (where) => {
    const mine = visible.map((row) => ({ ...row, viewer_subscription: row[id] ?? null }) as OracleRow);
    const expected = orderedIds(mine, where, 'date_start', 1);
    const seen: string[] = [];
    let token: string | null = null;
    do {
      const rest = await restPage(asker, '/events', { where, limit: 4, token });
      const relay = await connectionPage(asker, opening, { where: relayWhere(where), first: 4, after: token });
      expect([rest.code, relay.code]).toEqual([null, null]);
      expect(relay.value.ids).toEqual(rest.value.ids);
      expect(relay.value.total).toBe(expected.length);
      seen.push(...rest.value.ids);
      token = seen.length % 8 === 0 ? relay.value.next : rest.value.next;
      if (!rest.value.hasNext) break;
    } while (token);
    expect(seen).toEqual(expected);
    expect((await restGet(asker, '/events/count', { where })).body).toBe(expected.length);
    expect(await restCount(asker, '/events/count', { where, max: 1 })).toEqual({
      value: Math.min(expected.length, 1),
      exact: expected.length <= 1,
    });
  });
});

it('an export takes the filter', async () => {
  const where = JSON.stringify({ viewer_subscription: 'declined' });
  const url = `${server.url}/events/export?format=ndjson&fields=id&where=${encodeURIComponent(where)}`;
  const text = await (await fetch(url, { headers: headersOf(manager.asker) })).text();
  const mine = rows.map((row) => ({ ...row, viewer_subscription: row[manager.id] ?? null }) as OracleRow);
  const expected = orderedIds(mine, { viewer_subscription: 'declined' }, 'date_start', 1);
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(expected);
});

it.each([{ viewer_subscription: { $ne: null } }, { $or: [{ status: 1 }, { viewer_subscription: 'accepted' }] }])(
  'a cursor under %j is of one viewer',
  async (where) => {
    const { value } = await restPage(member.asker, '/events', { where, limit: 1 });
    const own = await restPage(member.asker, '/events', { where, limit: 1, token: value.next });
    expect(own.code).toBeNull();
    for (const token of [value.next, own.value.previous]) {
      const rest = await restPage(other.asker, '/events', { where, token });
      const relay = await connectionPage(other.asker, opening, { where: relayWhere(where), after: token });
      expect([rest.code, relay.code]).toEqual(['INVALID_CURSOR', 'INVALID_CURSOR']);
    }
  },
);

it('a cursor of a filter without it still is of every viewer', async () => {
  const where = { status: 1 };
  const { value } = await restPage(member.asker, '/events', { where, limit: 1 });
  expect((await restPage(other.asker, '/events', { where, token: value.next })).code).toBeNull();
});

it.each([
  [{ viewer_subscription: 'gone' }, '/where/viewer_subscription'],
  [{ viewer_subscription: { $in: ['accepted', null] } }, '/where/viewer_subscription/$in/1'],
  [{ viewer_subscription: { $in: [] } }, '/where/viewer_subscription/$in'],
  [{ viewer_subscription: { $gt: 'accepted' } }, '/where/viewer_subscription/$gt'],
])('%j is refused', async (where, pointer) => {
  const { status, body } = await restGet(member.asker, '/events', { where });
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY', errors: [{ pointer }] } });
});

it('nobody filters public events by it: they have no viewer', async () => {
  const where = { viewer_subscription: null };
  expect((await restPage(member.asker, '/public/events', { where })).code).toBe('INVALID_QUERY');
});
