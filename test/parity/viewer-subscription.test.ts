import { describe, expect, it } from 'vitest';
import { subscriptionStatuses } from '../../src/domain/subscription/subscription.entity.ts';
import { type Asker, restGet, restPage, type Where } from '../support/faces.ts';
import { insertEvent, insertMember, insertOrganization, insertSubscription } from '../support/fixtures.ts';
import { expectBadFilter, expectItems, relayPage } from '../support/list-on-both.ts';
import { type OracleRow, orderedIds } from '../support/oracle.ts';
import { serve } from '../support/server.ts';
import { signIn } from '../support/sign-in.ts';
import { events } from './lists.ts';

// Events by the viewer's newest subscription to them (reference/lists.md#viewer-subscription).

const server = await serve();
const { orm } = server;
const { id: organizationId } = await insertOrganization(orm);
const person = async (role: 'manager' | 'member', organization = organizationId) => {
  const { id, email } = await insertMember(orm, { organizationId: organization, role });
  const asker: Asker = { ...(await signIn(server.url, email)), url: server.url, organizationId };
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

/** The events by the newest subscription of a user. */
const idsOf = (visible: readonly OracleRow[], user: string, where: Where) =>
  orderedIds(
    visible.map((row) => ({ ...row, viewer_subscription: row[user] ?? null }) as OracleRow),
    ...([where, 'date_start', 1] as const),
  );

describe.each(viewers)('for %s', (_, { id, asker }, visible) => {
  it.each(filters)('events by %j are those of their newest subscription, on both faces', async (where) => {
    await expectItems(asker, events, where, idsOf(visible, id, where), 4);
  });
});

it('an export takes the filter', async () => {
  const where = { viewer_subscription: 'declined' };
  const { text } = await restGet(manager.asker, '/events/export', { format: 'ndjson', fields: 'id', where });
  const lines = text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(idsOf(rows, manager.id, where));
});

it.each([{ viewer_subscription: { $ne: null } }, { $or: [{ status: 1 }, { viewer_subscription: 'accepted' }] }])(
  'a cursor under %j is of one viewer',
  async (where) => {
    const { value } = await restPage(member.asker, '/events', { where, limit: 1 });
    const own = await restPage(member.asker, '/events', { where, limit: 1, token: value.next });
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
])('%j is refused', (where, pointer) => expectBadFilter(member.asker, '/events', where, pointer));

it('nobody filters public events by it: they have no viewer', async () => {
  const where = { viewer_subscription: null };
  expect((await restPage(member.asker, '/public/events', { where })).code).toBe('INVALID_QUERY');
});
