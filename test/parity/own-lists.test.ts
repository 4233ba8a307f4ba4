import { describe, expect, it } from 'vitest';
import { connectionPage } from '../support/connection-page.ts';
import {
  type Asker,
  type FacePage,
  restCount,
  restGet,
  restPage,
  toGraphqlWhere,
  type Where,
} from '../support/faces.ts';
import { insertMember } from '../support/fixtures.ts';
import { type OracleRow, orderedIds } from '../support/oracle.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { signIn } from '../support/sign-in.ts';

const server = await shared(startTestServer());
const rows: Record<string, OracleRow[]> = {};

// many rows at equal moments, so that the id has ties to break
const first = await insertMember(server.orm, { role: 'owner' });
const { organizationId } = first;
const second = await insertMember(server.orm, { organizationId });
const askerOf = async (email: string): Promise<Asker> => {
  const { accessToken } = await signIn(server.url, email);
  return { url: server.url, token: accessToken, organizationId };
};
const owner = await askerOf(first.email);
const member = await askerOf(second.email);
const em = server.orm.em.fork();
const moment = (column: string) => `'2026-01-01T00:00:00Z'::timestamptz + ${column} / 3 * interval '1 second'`;
await em.execute(
  `insert into session (id, user_id, created_at, last_used_at, expires_at)
    select gen_random_uuid(), ?, ${moment('n')}, now(), now() + interval '1 day' from generate_series(1, 70) n`,
  [first.id],
);
await em.execute(
  `insert into "user" (id, email, mailbox, name, verified_at) select gen_random_uuid(), 'u' || n || '@example.org', 'u' || n || '@example.org', 'User ' || n, now() from generate_series(1, 70) n`,
);
await em.execute(
  `insert into membership (id, organization_id, user_id, role, created_at)
    select gen_random_uuid(), ?, id, case when n % 3 = 0 then 'manager' else 'member' end, ${moment('n')}
    from (select id, row_number() over (order by email)::int as n from "user" where name like 'User %') u`,
  [organizationId],
);
await em.execute(
  `insert into audit_entry (id, organization_id, action, actor_id, subject_id, created_at)
    select gen_random_uuid(), ?, case when n % 4 = 0 then 'member.removed' else 'session.started' end,
      case when n % 5 = 0 then null else ?::uuid end, ?, ${moment('n')} from generate_series(1, 130) n`,
  [organizationId, first.id, second.id],
);
const read = async (table: string, where: string, value: string) =>
  (await em.execute(`select * from ${table} where ${where} = ?`, [value])).map((row: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(row).map(([key, each]) => [key, each instanceof Date ? each.toISOString() : each]),
    ),
  ) as OracleRow[];
rows.sessions = (await read('session', 'user_id', first.id)).map(withTimestamps);
rows.members = (await read('membership', 'organization_id', organizationId)).map(withTimestamps);
rows.audit = (await read('audit_entry', 'organization_id', organizationId)).map(withTimestamps);

function withTimestamps(row: OracleRow): OracleRow {
  return { ...row, created_at: new Date(String(row.created_at)).toISOString() };
}

const lists = {
  sessions: { path: '/auth/sessions', where: 'SessionWhere', open: 'viewer { connection: sessions' },
  members: { path: '/members', where: 'MembershipWhere', open: 'organization { connection: members' },
  audit: { path: '/audit', where: 'AuditEntryWhere', open: 'organization { connection: auditEntries' },
} as const;
type ListName = keyof typeof lists;

const graphqlPage = async (name: ListName, where: Where, paging: Record<string, unknown>) => {
  const variables = { where: toGraphqlWhere(where, ['role', 'action']), ...paging };
  const { code, value } = await connectionPage(owner, lists[name], variables);
  expect(code).toBeNull();
  return value;
};

const filters: [ListName, Where][] = [
  ['sessions', {}],
  ['sessions', { created_at: { $gte: '2026-01-01T00:00:05.000Z', $lt: '2026-01-01T00:00:19.000Z' } }],
  ['members', {}],
  ['members', { role: 'manager' }],
  ['members', { $not: { role: { $in: ['manager', 'owner'] } } }],
  ['audit', {}],
  ['audit', { action: 'session.started' }],
  ['audit', { actor_id: null }],
  [
    'audit',
    {
      $or: [
        { actor_id: { $ne: null }, action: { $ne: 'session.started' } },
        { created_at: { $lt: '2026-01-01T00:00:03.000Z' } },
      ],
    },
  ],
];

describe.each(filters)('%s by %j', (name, where) => {
  it.each(['rest first', 'graphql first'])(
    'walk to the end while the face changes on every page, %s',
    async (start) => {
      const seen: string[] = [];
      let cursor: string | null = null;
      let page: FacePage;
      let count = start === 'rest first' ? 0 : 1;
      do {
        if (count % 2 === 0) {
          const answer = await restPage(owner, lists[name].path, { where, limit: 9, token: cursor });
          expect(answer.code).toBeNull();
          page = answer.value;
        } else page = await graphqlPage(name, where, { first: 9, after: cursor });
        expect(page.hasPrevious).toBe(seen.length > 0);
        seen.push(...page.ids);
        cursor = page.next;
        count += 1;
      } while (page.hasNext);
      expect(seen).toEqual(orderedIds(rows[name] as OracleRow[], where, 'created_at', 1));
      expect(seen.length).toBeGreaterThan(9);
    },
  );

  it('gives one cursor for one place on both faces, both ways', async () => {
    const rest = (await restPage(owner, lists[name].path, { where, limit: 7 })).value;
    const relay = await graphqlPage(name, where, { first: 7 });
    expect(relay.ids).toEqual(rest.ids);
    expect(relay.next).toBe(rest.next);
    const second = (await restPage(owner, lists[name].path, { where, limit: 7, token: relay.next })).value;
    const back = await graphqlPage(name, where, { last: 7, before: second.previous });
    expect(back.ids).toEqual(rest.ids);
    const reverse = (await restPage(owner, lists[name].path, { where, limit: 7, token: second.previous, sort: -1 }))
      .value;
    expect(reverse.ids).toEqual([...rest.ids].reverse());
  });

  it('is counted alike', async () => {
    const expected = orderedIds(rows[name] as OracleRow[], where, 'created_at', 1).length;
    expect((await restGet(owner, `${lists[name].path}/count`, { where })).body).toBe(expected);
    expect((await graphqlPage(name, where, { first: 0 })).total).toBe(expected);
    for (const max of [1, expected - 1, expected]) {
      const capped = { value: max, exact: max === expected };
      expect(await restCount(owner, `${lists[name].path}/count`, { where, max })).toEqual(capped);
      expect((await graphqlPage(name, where, { first: 0, max })).count).toEqual(capped);
    }
  });
});

describe('cursors of these lists', () => {
  it('are of one list with one filter', async () => {
    const { value } = await restPage(owner, '/members', { limit: 1 });
    for (const [path, where] of [
      ['/audit', {}],
      ['/auth/sessions', {}],
      ['/members', { role: 'member' }],
    ] as const) {
      expect((await restPage(owner, path, { where, token: value.next })).code).toBe('INVALID_CURSOR');
    }
  });

  it('of members are not bound to the viewer: another sees what that one may see', async () => {
    const { value } = await restPage(owner, '/members', { limit: 1 });
    const answer = await restPage(member, '/members', { token: value.next });
    expect(answer.code).toBeNull();
    expect(answer.value.ids).toHaveLength(1);
  });
});
