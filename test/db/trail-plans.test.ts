import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { auditResource } from '../../src/domain/audit/audit.resource.ts';
import { auditTrail } from '../../src/domain/audit/audit-trail.ts';
import type { Services } from '../../src/domain/services.ts';
import type { MemberContext } from '../../src/engine/context.ts';
import { CursorCodec } from '../../src/engine/cursor.ts';
import { parseWhere } from '../../src/engine/list/where.ts';
import { restDialect } from '../../src/rest/server/list-query.ts';
import { createTestDatabase } from '../support/database.ts';
import type { Where } from '../support/faces.ts';
import { insertOrganization } from '../support/fixtures.ts';
import { allOf, explainingDatabase, type Plan, rowsOf } from '../support/plans.ts';
import { shared } from '../support/shared.ts';

const organizationId = randomUUIDv7();
const actorId = randomUUIDv7();
const busyId = randomUUIDv7();
let plans: Plan[] = [];

/** Members whose lines several organizations share. */
const sharing = 1_000;

/**
 * A trail of 100,000 lines of one organization among as many of others, and 110,000 that name none: ten of each of the
 * members who share theirs, and 100,000 of one who never rests.
 */
const database = await shared(createTestDatabase({ statementTimeout: 0 }));
const em = database.orm.em.fork();
await insertOrganization(database.orm, { id: organizationId });
await em.execute(
  `insert into audit_entry (id, request_id, organization_id, action, actor_id, subject_id, created_at)
    select gen_random_uuid(), gen_random_uuid(), case when n % 2 = 0 then ?::uuid else gen_random_uuid() end,
      case when n % 10000 = 0 then 'member.removed' else 'session.started' end,
      case when n % 5000 = 0 then ?::uuid else gen_random_uuid() end, gen_random_uuid(),
      now() - n * interval '1 second'
    from generate_series(1, 200000) n`,
  [organizationId, actorId],
);
await em.execute(
  `insert into "user" (id, email, mailbox, name, verified_at)
    select case when n = 0 then ?::uuid else gen_random_uuid() end, 'u' || n || '@example.org', 'u' || n || '@example.org', 'User', now() from generate_series(0, ?) n`,
  [busyId, sharing - 1],
);
await em.execute(
  `insert into membership (id, organization_id, user_id, role, created_at, shares_trail)
    select gen_random_uuid(), ?, id, 'member', now() - interval '1 year', true from "user"`,
  [organizationId],
);
const line = `'session.started', u.id, u.id, now() - n * interval '1 second' - interval '1 hour'`;
await em.execute(
  `insert into audit_entry (id, request_id, person_id, action, actor_id, subject_id, created_at)
    select gen_random_uuid(), gen_random_uuid(), u.id, ${line} from "user" u, generate_series(1, case when u.id = ? then 100000 else 10 end) n`,
  [busyId],
);
await em.execute('vacuum analyze audit_entry, membership, "user"');

const scansOf = (given: Plan[]) =>
  given
    .flatMap(allOf)
    .filter((each) => each['Relation Name'] === 'audit_entry' || / Index Scan$/.test(each['Node Type']));

/** How many lines were read for the statements of `given`. */
const linesRead = (given: Plan[]) => rowsOf(scansOf(given));

/** An owner whose every statement is explained, and run for that, before it is run. */
function explaining(): MemberContext {
  plans = [];
  const services = { cursors: new CursorCodec(['only for these plans']) } as Services;
  const db = explainingDatabase(database.orm.em.fork(), plans, 'explain (analyze, format json)');
  const context = { db, services, now: new Date() };
  const viewer = { userId: actorId, sessionId: '' };
  return { ...context, viewer, membership: { organizationId, role: 'owner' } } as unknown as MemberContext;
}

const filters: Where[] = [
  {},
  { action: 'session.started' },
  { subject_id: randomUUIDv7() },
  { subject_id: busyId },
  { created_at: { $gte: '2020-01-01T00:00:00Z', $lt: '2020-01-02T00:00:00Z' } },
];

/** What next to none of the shared lines match. */
const rare: Where[] = [
  { action: 'member.removed' },
  { action: { $in: ['member.removed', 'member.left'] } },
  { actor_id: actorId },
];

/** The beginning of each strand, a page of each of those that begin first, and a page of the organization's own lines. */
const bound = sharing + 51 * 51 + 51;

describe.each(filters)('the trail by %j', (filter) => {
  const where = parseWhere(auditResource, filter, restDialect);

  it.each([1, -1] as const)('is read by indexes, and no further than a page (sort %i)', async (sort) => {
    const paging = { by: 'token' as const, token: null, sort, size: 50 };
    const page = await auditTrail.list(explaining(), { where, paging, columns: ['action'] });
    expect(plans).toHaveLength(1);
    expect(scansOf(plans).filter((each) => each['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(linesRead(plans)).toBeLessThan(bound);
    const middle = page.items[25];
    if (!middle) return;
    const token = page.seal(page.position(middle));
    await auditTrail.list(explaining(), { where, paging: { ...paging, token }, columns: ['action'] });
    // the other side of the cursor is looked at as well
    expect(linesRead(plans)).toBeLessThan(2 * bound);
  });

  it('is counted up to a cap without reading on', async () => {
    const counted = await auditTrail.count(explaining(), where, 100);
    expect(scansOf(plans).filter((each) => each['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(linesRead(plans)).toBeLessThanOrEqual(counted.value + 1 + sharing);
  });
});

describe.each(rare)('the trail by %j', (filter) => {
  const where = parseWhere(auditResource, filter, restDialect);

  it.each([1, -1] as const)("reads others' lines in their index alone, each once (sort %i)", async (sort) => {
    const paging = { by: 'token' as const, token: null, sort, size: 50 };
    await auditTrail.list(explaining(), { where, paging, columns: ['action'] });
    const shared = scansOf(plans).filter((each) => each['Index Name'] === 'audit_entry_person_id_created_at_index');
    expect(new Set(shared.map((each) => each['Node Type']))).toEqual(new Set(['Index Only Scan']));
    // the plan tells whole lines for each strand
    expect(linesRead(shared)).toBeLessThanOrEqual(100_000 + sharing * 11);
    const own = scansOf(plans).filter((each) => !shared.includes(each));
    expect(own.filter((each) => each['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(linesRead(own)).toBeLessThan(bound);
  });
});

it.each([1, -1] as const)(
  "the trail by a request is read by its index, and others' lines once at most (sort %i)",
  async (sort) => {
    const where = parseWhere(auditResource, { request_id: randomUUIDv7() }, restDialect);
    const paging = { by: 'token' as const, token: null, sort, size: 50 };
    expect((await auditTrail.list(explaining(), { where, paging, columns: ['action'] })).items).toEqual([]);
    const shared = scansOf(plans).filter((each) => each['Index Name'] === 'audit_entry_person_id_created_at_index');
    expect(linesRead(shared)).toBeLessThanOrEqual(100_000 + sharing * 11);
    const own = scansOf(plans).filter((each) => !shared.includes(each) && each['Relation Name'] === 'audit_entry');
    expect(own.map((each) => each['Index Name'])).toContain('audit_entry_request_id_index');
    expect(linesRead(own)).toBe(0);
  },
);

it('a count of all is exact', async () => {
  const { value } = await auditTrail.count(explaining(), parseWhere(auditResource, {}, restDialect));
  expect(value).toBe(100_000 + 100_000 + (sharing - 1) * 10);
});
