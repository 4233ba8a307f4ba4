import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionsOf } from '../../src/db/access/connections.ts';
import { ServiceDatabase } from '../../src/db/access/service-database.ts';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import { refuseRowSecurity, requireRowSecurity } from '../../src/db/row-security.ts';
import { crossing } from '../../src/engine/context.ts';
import { transaction } from '../../src/engine/transaction.ts';
import { ask, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertMember } from '../support/fixtures.ts';
import { runFile, secureRows, urlAs } from '../support/row-security.ts';
import { requestsOn } from '../support/scopes.ts';

let database: TestDatabase;
let url: string;
let orm: Orm;
let organizationId: string;
const opened: Orm[] = [];

async function open(options: Partial<Parameters<typeof createOrm>[0]> = {}): Promise<Orm> {
  const made = await createOrm({ url, rowSecurity: true, ...options });
  opened.push(made);
  return made;
}

beforeAll(async () => {
  database = await createTestDatabase();
  organizationId = (await insertMember(database.orm, { role: 'owner' })).organizationId;
  url = await secureRows(database.url);
  orm = await open({ poolSize: 1 });
});
afterAll(async () => {
  for (const each of opened) await each.close(true);
  await database.drop();
});

describe('a start', () => {
  const requires = async (asRole: Parameters<typeof urlAs>[0] | 'owner') => {
    const roleUrl = asRole === 'owner' ? database.url : urlAs(asRole, database.url);
    const other = await open({ url: roleUrl, rowSecurity: false });
    return await requireRowSecurity(connectionsOf(other).primary).then(
      () => null,
      (error: Error) => error.message,
    );
  };

  it('is refused for every role that it would not hold for', async () => {
    expect(await requires('events_scoped')).toBeNull();
    expect(await requires('superuser')).toContain('the role postgres is a superuser');
    expect(await requires('owner')).toContain('the role events_gateway owns api_key, ');
    expect(await requires('events_service')).toContain('the role events_service sees all organizations');
  });

  it('and each connection are refused for a role with BYPASSRLS, which otherwise is like that of the service', async () => {
    const asSuperuser = (statement: string) => ask(urlAs('superuser', database.url), statement);
    const bypasser = `bypasser_${randomBytes(6).toString('hex')}`;
    await asSuperuser(`create role ${bypasser} login noinherit password 'of-tests'`);
    try {
      await asSuperuser(`grant events_service to ${bypasser}`);
      await asSuperuser(`grant select on all tables in schema public to ${bypasser}`);
      const bypasserUrl = Object.assign(new URL(url), { username: bypasser }).href;
      const starts = async () => {
        const other = await createOrm({ url: bypasserUrl, poolSize: 1 });
        const scoped = await createOrm({ url: bypasserUrl, poolSize: 1, rowSecurity: true });
        try {
          await requireRowSecurity(connectionsOf(other).primary);
          return await new ServiceDatabase(scoped).rows(sql`select 1 as one`);
        } finally {
          await other.close(true);
          await scoped.close(true);
        }
      };
      expect(await starts()).toEqual([{ one: 1 }]);
      await asSuperuser(`alter role ${bypasser} bypassrls`);
      await expect(starts()).rejects.toThrow(`the role ${bypasser} has BYPASSRLS`);
      const scoped = await createOrm({ url: bypasserUrl, poolSize: 1, rowSecurity: true });
      await expect(new ServiceDatabase(scoped).rows(sql`select 1`)).rejects.toThrow('row-level security does not hold');
      await scoped.close(true);
    } finally {
      await asSuperuser(`drop owned by ${bypasser}`);
      await asSuperuser(`drop role ${bypasser}`);
    }
  });

  it('is refused for the role of row-level security without the setting', async () => {
    await expect(refuseRowSecurity(connectionsOf(orm).primary)).rejects.toThrow('unless DATABASE_ROW_SECURITY is on');
    await refuseRowSecurity(connectionsOf(database.orm).primary);
  });

  it.each(['events_service', 'superuser'] as const)(
    'opens no connection as %s, such as one of a replica',
    async (role) => {
      const other = await open({ url: urlAs(role, database.url) });
      await expect(new ServiceDatabase(other).rows(sql`select 1`)).rejects.toThrow('row-level security does not hold');
    },
  );
});

describe('without the setting', () => {
  it('a database that crosses is the same one', async () => {
    const ctx = requestsOn(database.orm)(organizationId);
    expect(crossing(ctx)).toBe(ctx);
    expect(ctx.db.crossing()).toBe(ctx.db);
    await transaction(ctx, async (tx) => expect(crossing(tx)).toBe(tx)).catch(() => undefined);
  });
});

describe('row-security-off.sql', () => {
  it('takes everything back, and can be turned on again', async () => {
    const other = await createTestDatabase();
    try {
      await insertMember(other.orm);
      await secureRows(other.url);
      await runFile('row-security.sql', urlAs('superuser', other.url));
      const leakproof = `select proname from pg_proc where proleakproof and oid in ('name_grams(text)'::regprocedure, 'lower(text)'::regprocedure)`;
      await runFile('row-security-search.sql', urlAs('superuser', other.url));
      expect(await other.orm.em.fork().execute(leakproof)).toHaveLength(2);
      await runFile('row-security-off.sql', urlAs('superuser', other.url));
      const left = await other.orm.em.fork().execute(`select polname from pg_policy union all
        select relname from pg_class where relrowsecurity union all
        select relname from pg_class where reloptions @> array['security_invoker=true']`);
      expect(left).toEqual([]);
      expect(await other.orm.em.fork().execute(leakproof)).toEqual([]);
      const gone = await open({ url: urlAs('events_scoped', other.url), rowSecurity: false });
      await expect(new ServiceDatabase(gone).rows(sql`select from event`)).rejects.toThrow('permission denied');
      const scoped = await open({ url: await secureRows(other.url) });
      expect(await new ServiceDatabase(scoped).rows(sql`select from organization`)).toHaveLength(1);
    } finally {
      for (const each of opened.splice(-2)) await each.close(true);
      await other.drop();
    }
  });
});
