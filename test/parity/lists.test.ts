import { describe, expect, it } from 'vitest';
import { restPage, type Where } from '../support/faces.ts';
import { expectItems } from '../support/list-on-both.ts';
import { type OracleRow, orderedIds } from '../support/oracle.ts';
import { serveParityData } from './data.ts';
import { fillLists } from './lists.ts';

// Sessions, members, the audit trail and public events by their filters (reference/lists.md#operations).

const data = await serveParityData();
const { owner, member } = data.askers;
const lists = await fillLists(data);

/** The rows of a table, with timestamps as text. */
async function read(table: string, column: string, value: string): Promise<OracleRow[]> {
  const rows = await data.server.execute<OracleRow>(`select * from ${table} where ${column} = ?`, [value]);
  return rows.map((row) => ({ ...row, created_at: new Date(String(row.created_at)).toISOString() }));
}
// so are the cancelled ones
await data.server.execute(`update event set visibility = 'public' where status = 1`);
const rows = {
  sessions: await read('session', 'user_id', data.userIds.owner),
  members: await read('membership', 'organization_id', owner.organizationId),
  audit: await read('audit_entry', 'organization_id', owner.organizationId),
  'public events': data.events.filter(({ status }) => status === 1 || status === 2),
};

const [one, two] = rows.members.filter(({ created_at: at }) => String(at) < '2026-01-01T00:00:10');
const sooner = { created_at: { $lt: '2026-01-01T00:00:03.000Z' } };
const filters: [keyof typeof rows, Where][] = [
  ['sessions', {}],
  ['sessions', { created_at: { $gte: '2026-01-01T00:00:05.000Z', $lt: '2026-01-01T00:00:19.000Z' } }],
  ['members', {}],
  ['members', { role: 'manager' }],
  [
    'members',
    {
      id: { $ne: one?.id },
      user_id: { $ne: two?.user_id },
      created_at: { $lt: '2026-01-01T00:00:15.000Z' },
    },
  ],
  ['members', { $not: { role: { $in: ['manager', 'owner'] } } }],
  ['audit', {}],
  ['audit', { action: 'session.started' }],
  ['audit', { actor_id: null }],
  ['public events', {}],
  ['public events', { name: 'JAZZ' }],
  ['public events', { slug: { $in: data.events.slice(0, 50).map(({ slug }) => slug) } }],
  ['public events', { status: { $ne: 2 }, date_start: { $gt: '2026-06-01T15:00:00.000Z' } }],
  ['public events', { $not: { date_end: { $lt: '2026-06-02T00:00:00.000Z' } } }],
  ['public events', { updated_at: { $gt: '2026-02-01T00:00:00.030Z' }, id: { $ne: data.eventId } }],
  ['audit', { $or: [{ actor_id: { $ne: null }, action: { $ne: 'session.started' } }, sooner] }],
];

it.each(filters)('%s by %j are the same on both faces', async (name, where) => {
  const expected = orderedIds(rows[name], where, lists[name].order, 1);
  expect(expected.length).toBeGreaterThan(9);
  await expectItems(owner, lists[name], where, expected);
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
