import { describe, expect, it } from 'vitest';
import { subscriptionStatuses } from '../../src/domain/subscription/subscription.entity.ts';
import { type Asker, restGet, restPage, type Where } from '../support/faces.ts';
import { insertEvent, insertMember, insertOrganization, insertSubscription } from '../support/fixtures.ts';
import { expectBadFilter, expectItems, relayPage } from '../support/list-on-both.ts';
import { lists } from '../support/lists.ts';
import { type OracleRow, orderedIds } from '../support/oracle.ts';
import { serve, signIn } from '../support/server.ts';

// Members by their names and addresses (reference/lists.md#operators).

const { events, members } = lists;

const server = await serve();
const { id: organizationId } = await insertOrganization(server.orm);
const people = {
  owner: { role: 'owner', name: 'Olga Ö. Owner', email: 'Olga@Example.org' },
  manager: { role: 'manager', name: 'Max 100% Manager', email: 'max@example.org' },
  member: { role: 'member', name: 'Mia_Member', email: 'Mia+events@Müller.example' },
  other: { role: 'member', name: 'Max Power', email: 'max.power@example.org' },
} as const;
const ids: Record<string, string> = {};
for (const [key, input] of Object.entries(people)) {
  ids[key] = (await insertMember(server.orm, { organizationId, ...input })).id;
}
const unproven = { name: 'Max Unproven', email: 'unproven@example.org', verified: false };
await insertMember(server.orm, { organizationId, ...unproven });
await insertMember(server.orm, { name: 'Max Stranger', email: 'stranger@example.org', role: 'owner' });
const memberships = await server.execute<Record<'id' | 'user_id' | 'created_at', string>>(
  'select id, user_id, created_at from membership where organization_id = ?',
  [organizationId],
);
const rows = memberships.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString() }));

const askerOf = async ({ email }: { email: string }, at = organizationId): Promise<Asker> => ({
  ...{ ...(await signIn(server.url, email)), url: server.url, organizationId: at },
});
const manager = await askerOf(people.manager);
const owner = await askerOf(people.owner);
const member = await askerOf(people.member);
const idsOf = (keys: readonly string[]) =>
  orderedIds(
    rows.filter(({ user_id }) => keys.some((key) => ids[key] === user_id)),
    {},
    'created_at',
    1,
  );

const all = Object.keys(people);
const cases: [Where, readonly string[]][] = [
  [{ name: 'max' }, ['manager', 'other']],
  [{ name: 'MAX P' }, ['other']],
  [{ name: 'ö' }, ['owner']],
  [{ name: '%' }, ['manager']],
  [{ name: '_' }, ['member']],
  [{ name: 'nobody' }, []],
  [{ $not: { name: 'max' } }, ['owner', 'member']],
  [{ name: 'm', role: 'manager' }, ['manager']],
  [{ email: 'olga@example.org' }, ['owner']],
  [{ email: { $eq: 'OLGA@EXAMPLE.ORG' } }, ['owner']],
  [{ email: 'mia+EVENTS@xn--mller-kva.example' }, ['member']],
  [{ email: 'mia@müller.example' }, []],
  [{ email: 'unproven@example.org' }, []],
  [{ email: 'stranger@example.org' }, []],
  [{ email: 'no address' }, []],
  [{ email: null }, []],
  [{ $not: { email: null } }, all],
  [{ $not: { email: 'olga@example.org' } }, all.filter((key) => key !== 'owner')],
  [{ $or: [{ email: 'max@example.org' }, { name: 'olga' }] }, ['manager', 'owner']],
  [{ $and: [{ $not: { $or: [{ email: 'max@example.org' }, { name: 'olga' }] } }, { name: 'm' }] }, ['member', 'other']],
];

describe.each([
  ['a manager', manager],
  ['an owner', owner],
])('for %s', (_, asker) => {
  it.each(cases)('members by %j are the same on both faces', async (where, expected) => {
    await expectItems(asker, members, where, idsOf(expected));
  });
});

it('the same address in another spelling is the same filter, on either face', async () => {
  const first = { $not: { email: 'OLGA@example.org' } };
  const second = { $not: { email: 'olga@EXAMPLE.ORG' } };
  const { value } = await restPage(manager, '/members', { where: first, limit: 1 });
  const rest = await restPage(manager, '/members', { where: second, token: value.next });
  const relay = await relayPage(manager, members, second, { after: value.next });
  expect([rest.code, relay.code]).toEqual([null, null]);
  expect(relay.value.ids).toEqual(rest.value.ids);
  const third = { $not: { email: 'max@example.org' } };
  const other = await restPage(manager, '/members', { where: third, token: value.next });
  expect(other.code).toBe('INVALID_CURSOR');
});

describe('a member', () => {
  it('finds nobody but themselves by a name', async () => {
    for (const [name, expected] of [
      ['mia', ['member']],
      ['max', []],
    ] as const) {
      const rest = await restPage(member, '/members', { where: { name } });
      const relay = await relayPage(member, members, { name });
      expect([rest.value.ids, relay.value.ids]).toEqual([idsOf(expected), idsOf(expected)]);
    }
  });

  it.each([
    { email: people.member.email },
    { email: 'nobody@example.org' },
    { $not: { $or: [{ role: 'owner' }, { $and: [{ email: people.owner.email }] }] } },
  ])('may not filter by an address: %j', async (where) => {
    const rest = await restPage(member, '/members', { where });
    const count = (await restGet(member, '/members/count', { where })).body as { code: string };
    const relay = await relayPage(member, members, where);
    expect([rest.code, count.code, relay.code]).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  });
});

it.each([
  [{ email: { $ne: 'a@example.org' } }, '/where/email/$ne'],
  [{ email: 5 }, '/where/email'],
  [{ role: 'admin' }, '/where/role'],
  [{ organization_id: organizationId }, '/where/organization_id'],
  [{ name: '' }, '/where/name'],
  [{ name: { $eq: 'x' } }, '/where/name'],
])('%j is refused', (where, pointer) => expectBadFilter(manager, '/members', where, pointer));

it('neither is a field that is shown', async () => {
  expect((await restGet(manager, '/members', { fields: 'name' })).status).toBe(400);
  const { body } = await restGet(manager, '/members', { include: 'user', where: { name: 'power' } });
  expect(body).toMatchObject({ items: [{ user: { name: people.other.name, email: people.other.email } }] });
});

// Events by the viewer's newest subscription to them (reference/lists.md#viewer-subscription).

const { orm } = server;
const { id: place } = await insertOrganization(orm);
const person = async (role: 'manager' | 'member') => {
  const { id, email } = await insertMember(orm, { organizationId: place, role });
  return { id, asker: await askerOf({ email }, place) };
};
const [leader, holder, other] = [await person('manager'), await person('member'), await person('member')];
const eventRows: OracleRow[] = [];
const hour = 3_600_000;
const start = Date.parse('2026-06-01T10:00:00Z');

/** An event, and the statuses of a person's subscriptions to it, oldest first. */
async function event(index: number, status: number, subscribed: Record<string, readonly string[]>): Promise<void> {
  const dateStart = new Date(start + index * hour);
  const { id } = await insertEvent(orm, { organizationId: place, status, dateStart });
  for (const [userId, statuses] of Object.entries(subscribed)) {
    for (const [age, each] of statuses.entries()) {
      const createdAt = new Date(start - hour + age);
      await insertSubscription(orm, { eventId: id, userId, status: each as 'accepted', createdAt });
    }
  }
  const newest = Object.fromEntries(Object.entries(subscribed).map(([user, each]) => [user, each.at(-1) ?? null]));
  eventRows.push({ id, status, date_start: dateStart.toISOString(), ...newest } as OracleRow);
}

for (const [index, status] of subscriptionStatuses.entries()) {
  await event(index, 1, { [holder.id]: [status], [leader.id]: ['declined'] });
  await event(10 + index, 1 + (index % 3), { [holder.id]: ['cancelled', 'declined', status] });
  await event(20 + index, 1, { [other.id]: [status] });
}
await event(30, 1, { [holder.id]: ['accepted', 'cancelled'] });
await event(31, 0, { [holder.id]: ['accepted'], [leader.id]: ['accepted'] });
await event(32, 2, {});

const viewers = [
  ['a member', holder, eventRows.filter(({ status }) => status !== 0)],
  ['another member', other, eventRows.filter(({ status }) => status !== 0)],
  ['a manager', leader, eventRows],
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

/** The events by the newest subscription of a user. */
const eventIdsOf = (visible: readonly OracleRow[], user: string, where: Where) =>
  orderedIds(
    visible.map((row) => ({ ...row, viewer_subscription: row[user] ?? null }) as OracleRow),
    ...([where, 'date_start', 1] as const),
  );

describe.each(viewers)('for %s', (_, { id, asker }, visible) => {
  it.each(filters)('events by %j are those of their newest subscription, on both faces', async (where) => {
    await expectItems(asker, events, where, eventIdsOf(visible, id, where), 4);
  });
});

it('an export takes the filter', async () => {
  const where = { viewer_subscription: 'declined' };
  const { text } = await restGet(leader.asker, '/events/export', { format: 'ndjson', fields: 'id', where });
  const lines = text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(eventIdsOf(eventRows, leader.id, where));
});

it.each([{ viewer_subscription: { $ne: null } }, { $or: [{ status: 1 }, { viewer_subscription: 'accepted' }] }])(
  'a cursor under %j is of one viewer',
  async (where) => {
    const { value } = await restPage(holder.asker, '/events', { where, limit: 1 });
    const own = await restPage(holder.asker, '/events', { where, limit: 1, token: value.next });
    expect(own.code).toBeNull();
    for (const token of [value.next, own.value.previous]) {
      const rest = await restPage(other.asker, '/events', { where, token });
      const relay = await relayPage(other.asker, events, where, { after: token });
      expect([rest.code, relay.code]).toEqual(['INVALID_CURSOR', 'INVALID_CURSOR']);
    }
  },
);

it.each([
  [{ viewer_subscription: 'gone' }, '/where/viewer_subscription'],
  [{ viewer_subscription: { $in: ['accepted', null] } }, '/where/viewer_subscription/$in/1'],
  [{ viewer_subscription: { $in: [] } }, '/where/viewer_subscription/$in'],
  [{ viewer_subscription: { $gt: 'accepted' } }, '/where/viewer_subscription/$gt'],
])('%j is refused', (where, pointer) => expectBadFilter(holder.asker, '/events', where, pointer));

it('nobody filters public events by it: they have no viewer', async () => {
  const where = { viewer_subscription: null };
  expect((await restPage(holder.asker, '/public/events', { where })).code).toBe('INVALID_QUERY');
});
