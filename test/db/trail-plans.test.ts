import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { connectTo, createTestDatabase } from '../support/database.ts';
import { type Asker, restCount, restGet, type Where } from '../support/faces.ts';
import { insertMember, insertOrganization } from '../support/fixtures.ts';
import { allOf, type Plan, plansFor, rowsOf } from '../support/plans.ts';
import type { Page } from '../support/send.ts';
import { serve, signIn } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const organizationId = randomUUIDv7();
const actorId = randomUUIDv7();
const busyId = randomUUIDv7();

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

const { email } = await insertMember(database.orm, { id: actorId, organizationId, role: 'owner' });
const client = await shared(connectTo(database.url));
const server = await serve({ databaseUrl: database.url, env: { READ_TIMEOUT_SECONDS: '60' } });
const { accessToken } = await signIn(server.url, email);
const owner: Asker = { url: server.url, accessToken, organizationId };

const list = (query: Record<string, unknown>) =>
  plansFor(server, client, () => restGet<Page>(owner, '/audit', { fields: 'action', ...query }), true);

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

const sorts = [1, -1] as const;

describe.each(filters)('the trail by %j', (where) => {
  it.each(sorts)('is read by indexes, and no further than a page (sort %i)', async (sort) => {
    const { plans } = await list({ where, sort });
    expect(plans).toHaveLength(1);
    expect(scansOf(plans).filter((each) => each['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(linesRead(plans)).toBeLessThan(bound);
    const { result } = await list({ where, sort, limit: 25 });
    if (result.body.next === null) return;
    // the other side of the cursor is looked at as well
    expect(linesRead((await list({ where, sort, token: result.body.next })).plans)).toBeLessThan(2 * bound);
  });

  it('is counted up to a cap without reading on', async () => {
    const { result, plans } = await plansFor(
      server,
      client,
      () => restCount(owner, '/audit/count', { where, max: 100 }),
      true,
    );
    expect(scansOf(plans).filter((each) => each['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(linesRead(plans)).toBeLessThanOrEqual(result.value + 1 + sharing);
  });
});

const isOfStrand = (each: Plan) => each['Index Name'] === 'audit_entry_person_id_created_at_index';

describe.each(rare)('the trail by %j', (where) => {
  it.each(sorts)("reads others' lines in their index alone, each once (sort %i)", async (sort) => {
    const scans = scansOf((await list({ where, sort })).plans);
    const shared = scans.filter(isOfStrand);
    expect(new Set(shared.map((each) => each['Node Type']))).toEqual(new Set(['Index Only Scan']));
    // the plan tells whole lines for each strand
    expect(rowsOf(shared)).toBeLessThanOrEqual(100_000 + sharing * 11);
    const own = scans.filter((each) => !shared.includes(each));
    expect(own.filter((each) => each['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(rowsOf(own)).toBeLessThan(bound);
  });
});

it.each(sorts)("the trail by a request is read by its index, and others' lines once at most (%i)", async (sort) => {
  const { result, plans } = await list({ where: { request_id: randomUUIDv7() }, sort });
  expect(result.body.items).toEqual([]);
  const scans = scansOf(plans);
  expect(rowsOf(scans.filter(isOfStrand))).toBeLessThanOrEqual(100_000 + sharing * 11);
  const own = scans.filter((each) => !isOfStrand(each) && each['Relation Name'] === 'audit_entry');
  expect(own.map((each) => each['Index Name'])).toContain('audit_entry_request_id_index');
  expect(rowsOf(own)).toBe(0);
});

it('a count of all is exact', async () => {
  // the owner has signed in
  expect((await restGet(owner, '/audit/count')).body).toBe(100_000 + 100_000 + (sharing - 1) * 10 + 1);
});
