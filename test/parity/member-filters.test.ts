import { describe, expect, it } from 'vitest';
import { type Asker, restGet, restPage, type Where } from '../support/faces.ts';
import { insertMember, insertOrganization } from '../support/fixtures.ts';
import { expectBadFilter, expectItems, relayPage } from '../support/list-on-both.ts';
import { orderedIds } from '../support/oracle.ts';
import { serve } from '../support/server.ts';
import { signIn } from '../support/sign-in.ts';
import { members } from './lists.ts';

// Members by their names and addresses (reference/lists.md#operators).

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

const askerOf = async ({ email }: { email: string }): Promise<Asker> => {
  return { ...(await signIn(server.url, email)), url: server.url, organizationId };
};
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
