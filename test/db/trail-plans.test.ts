import { randomUUIDv7 } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditResource } from '../../src/domain/audit/audit.resource.ts';
import { countAudit, listAudit } from '../../src/domain/audit/audit-trail.ts';
import type { MemberContext } from '../../src/domain/context.ts';
import { CursorCodec } from '../../src/domain/list/cursor.ts';
import { restDialect } from '../../src/domain/list/dialect.ts';
import { parseWhere } from '../../src/domain/list/where.ts';
import type { Services } from '../../src/domain/services.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import type { Where } from '../support/faces.ts';

let database: TestDatabase;
const organizationId = randomUUIDv7();
const actorId = randomUUIDv7();
let plans: string[] = [];

/** A trail of 100,000 lines of one organization among as many of others. */
beforeAll(async () => {
  database = await createTestDatabase({ statementTimeout: 0 });
  const em = database.orm.em.fork();
  await em.execute(
    `insert into audit_entry (id, organization_id, action, actor_id, subject_id, created_at)
      select gen_random_uuid(), case when n % 2 = 0 then ?::uuid else gen_random_uuid() end,
        case when n % 10000 = 0 then 'member.removed' else 'session.started' end,
        case when n % 5000 = 0 then ?::uuid else gen_random_uuid() end, gen_random_uuid(),
        now() - n * interval '1 second'
      from generate_series(1, 200000) n`,
    [organizationId, actorId],
  );
  await em.execute('vacuum analyze audit_entry');
}, 120_000);
afterAll(() => database.drop());

/** An owner whose every statement is explained before it is run. */
function explaining(): MemberContext {
  plans = [];
  const em = database.orm.em.fork();
  const kysely = em.getKysely();
  const executeQuery = async (query: CompiledQuery) => {
    const explained = await kysely.executeQuery({ ...query, sql: `explain ${query.sql}` });
    plans.push(explained.rows.map((row) => Object.values(row as object).join()).join('\n'));
    return await kysely.executeQuery(query);
  };
  const services = { cursors: new CursorCodec(['only for these plans']) } as Services;
  const reader = { isInTransaction: () => true, getKysely: () => ({ executeQuery }) };
  const context = { reader, services, now: new Date() };
  const viewer = { userId: actorId, sessionId: '' };
  return { ...context, viewer, membership: { organizationId, role: 'owner' } } as unknown as MemberContext;
}

const filters: Where[] = [
  {},
  { action: 'member.removed' },
  { action: { $in: ['member.removed', 'member.left'] } },
  { actor_id: actorId },
  { subject_id: randomUUIDv7() },
  { created_at: { $gte: '2020-01-01T00:00:00Z', $lt: '2020-01-02T00:00:00Z' } },
];

describe.each(filters)('the trail by %j', (filter) => {
  const where = parseWhere(auditResource, filter, restDialect);

  it.each([1, -1] as const)(
    'is read by an index, and neither sorted nor read from end to end (sort %i)',
    async (sort) => {
      const paging = { face: 'rest' as const, token: null, sort, size: 50 };
      await listAudit(explaining(), { where, paging, columns: ['action'] });
      expect(plans).toHaveLength(1);
      expect(plans[0]).not.toContain('Seq Scan');
      if (!JSON.stringify(filter).includes('$in')) expect(plans[0]).not.toContain('Sort');
    },
  );

  it('is counted by an index', async () => {
    await countAudit(explaining(), where);
    // half of the table is what the count of everything counts
    if (Object.keys(filter).length > 0) expect(plans.join()).not.toContain('Seq Scan');
  });
});
