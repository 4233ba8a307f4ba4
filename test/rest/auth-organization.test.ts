import { beforeEach, describe, expect, it } from 'vitest';
import { insertMember, insertMembership, insertOrganization } from '../support/fixtures.ts';
import { rawRequest } from '../support/http.ts';
import { serve } from '../support/server.ts';
import { signIn } from '../support/sign-in.ts';
import { countStatements } from '../support/statements.ts';

const server = await serve();

let member: { id: string; email: string; organizationId: string };
let accessToken: string;
beforeEach(async () => {
  member = await insertMember(server.orm);
  ({ accessToken } = await signIn(server.url, member.email));
});

async function events(...organizations: string[]) {
  const headers = organizations.flatMap((each) => ['x-organization-id', each]);
  return await rawRequest(`${server.url}/events`, { headers: ['authorization', `Bearer ${accessToken}`, ...headers] });
}

const codeOf = ({ status, text }: { status: number; text: string }) => [status, JSON.parse(text).code];
const aboutAccess = (statement: string) => /\b(session|membership)\b/.test(statement);
/** News of a membership that was just made may come after the first answer, and make the service ask once more. */
const eventuallyRemembered = () =>
  expect
    .poll(async () => {
      const { statements } = await countStatements(server.orm, () => events(member.organizationId));
      return statements.filter(aboutAccess);
    })
    .toEqual([]);

describe('x-organization-id', () => {
  it('lets a member in, in any case of the id', async () => {
    expect((await events(member.organizationId)).status).toBe(200);
    expect((await events(member.organizationId.toUpperCase())).status).toBe(200);
  });

  it.each<[string, (own: string) => string[]]>([
    ['absent', () => []],
    ['empty', () => ['']],
    ['a slug', () => ['my-organization']],
    ['a truncated id', (own) => [own.slice(0, -1)]],
    ['an id without hyphens', (own) => [own.replaceAll('-', '')]],
    ['a star', () => ['*']],
    ['an id in braces', (own) => [`{${own}}`]],
    ['an id and more', (own) => [`${own}'--`]],
    ['two ids in one', (own) => [`${own}, ${own}`]],
    ['doubled', (own) => [own, own]],
  ])('is refused with ORGANIZATION_REQUIRED where it is %s', async (_name, header) => {
    expect(codeOf(await events(...header(member.organizationId)))).toEqual([400, 'ORGANIZATION_REQUIRED']);
  });

  it('stops working as soon as the membership is removed, and works again with a new one', async () => {
    const status = async () => (await events(member.organizationId)).status;
    expect(await status()).toBe(200);
    expect(await status()).toBe(200);
    await server.execute(`delete from membership where user_id = '${member.id}'`);
    // less than the five seconds for which it would be remembered unheard
    const heard = { timeout: 3_000, interval: 5 };
    await expect.poll(status, heard).toBe(403);
    await insertMembership(server.orm, { organizationId: member.organizationId, userId: member.id });
    await expect.poll(status, heard).toBe(200);
  });

  it('works for each organization of someone with very many', async () => {
    await server.execute(`
      with created as (insert into organization (id, name, slug) select gen_random_uuid(), 'x', 'many-' || n from generate_series(1, 120) n returning id)
      insert into membership (id, organization_id, user_id, role) select gen_random_uuid(), id, '${member.id}', 'member' from created`);
    const rows = await server.execute(`select organization_id as id from membership where user_id = '${member.id}'`);
    expect(rows).toHaveLength(121);
    for (const { id } of rows) expect((await events(String(id))).status).toBe(200);
    expect(codeOf(await events((await insertOrganization(server.orm)).id))).toEqual([403, 'ORGANIZATION_FORBIDDEN']);
  });

  it('costs one statement at first, and none afterwards', async () => {
    const { result, statements } = await countStatements(server.orm, () => events(member.organizationId));
    expect([result.status, statements.filter(aboutAccess).length]).toEqual([200, 1]);
    await eventuallyRemembered();
  });
});

describe('the connection that listens for changes', () => {
  const listeners = () =>
    server.execute(
      `select pid from pg_stat_activity where datname = current_database() and query = 'listen access_changed'`,
    );

  it('is opened again if the server drops it; until then every request asks the database', async () => {
    expect((await events(member.organizationId)).status).toBe(200);
    const [first] = await listeners();
    await server.execute(`select pg_terminate_backend(${first?.pid})`);
    await server.execute(`delete from membership where user_id = '${member.id}'`);
    const status = async () => (await events(member.organizationId)).status;
    await expect.poll(status, { timeout: 3_000 }).toBe(403);
    await expect.poll(listeners).toHaveLength(1);
    expect((await listeners())[0]?.pid).not.toBe(first?.pid);
    // and the cache is back in use
    await insertMembership(server.orm, { organizationId: member.organizationId, userId: member.id });
    await expect.poll(status, { timeout: 3_000 }).toBe(200);
    await eventuallyRemembered();
  });
});
