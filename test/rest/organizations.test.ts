import { randomUUIDv7 } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { insertMember, insertMembership, insertOrganization, insertUser } from '../support/fixtures.ts';
import { rawRequest } from '../support/raw.ts';
import { expectCode, type Page, send } from '../support/send.ts';
import { createTeam, serve, signIn, signInNew } from '../support/server.ts';
import { countStatements } from '../support/statements.ts';

const server = await serve();

type Organization = Record<'id' | 'name' | 'slug' | 'role', string>;

/** Makes somebody a member of so many organizations, all at once. */
const insertOrganizations = (count: number, userId: string, role: string) =>
  server.execute(
    `with made as (insert into organization (id, name, slug)
        select id, 'Many', 'many-' || id from (select gen_random_uuid() as id from generate_series(1, ?)) given returning id)
      insert into membership (id, organization_id, user_id, role) select gen_random_uuid(), id, ?, ? from made`,
    [count, userId, role],
  );

const newUser = () => signInNew(server);
const create = (caller: { accessToken: string }, name: string) =>
  send<Organization>(server, caller, 'POST /organizations', { name });

describe('POST /organizations', () => {
  it('creates an organization whose owner is the viewer, from this moment on', async () => {
    const caller = await newUser();
    const name = `Café ${randomUUIDv7()}`;
    const answer = await create(caller, name);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ name, slug: name.toLowerCase().replace('é', 'e').replace(' ', '-') });
    expect(answer.headers.get('location')).toBe(`/organizations/${answer.body.id}`);
    expect(answer.headers.get('etag')).toBe('"1"');
    const shown = await send(server, caller, `GET ${answer.headers.get('location')}`);
    expect([shown.status, shown.body]).toEqual([200, answer.body]);
    const scoped = { ...caller, organizationId: answer.body.id };
    expect((await send(server, scoped, 'GET /audit/count')).body).toBe(1);
  });

  it('gives each of twenty of the same name at the same time a slug of its own', async () => {
    const caller = await newUser();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(caller, 'One and the same')));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(20);
  });

  it('refuses the hundred and first of one owner', async () => {
    const { id, email } = await insertUser(server.orm);
    await insertOrganizations(99, id, 'owner');
    const { accessToken } = await signIn(server.url, email);
    const answers = await Promise.all([create({ accessToken }, 'A'), create({ accessToken }, 'B')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('needs a name', async () => {
    const answer = await send(server, await newUser(), 'POST /organizations', { name: ' ', slug: 'x' });
    expectCode(answer, 400, 'VALIDATION_ERROR', ['/name', '/slug']);
  });
});

it("GET /organizations lists the viewer's own with the role, by the whole query language", async () => {
  const caller = await newUser();
  const ids: string[] = [];
  for (const name of ['First ones', 'Second', 'Third ones']) ids.push((await create(caller, name)).body.id);
  const list = async (query: string) => {
    const { body } = await send<Page<Organization>>(server, caller, `GET /organizations?${query}`);
    return { ids: body.items.map(({ id }) => id), next: body.next };
  };
  expect((await list('')).ids).toEqual(ids);
  const first = await list('limit=1&sort=-1');
  expect(first.ids).toEqual([ids[2]]);
  expect((await list(`limit=1&sort=-1&token=${first.next}`)).ids).toEqual([ids[1]]);
  const where = encodeURIComponent(JSON.stringify({ name: 'ONES', role: 'owner' }));
  expect((await list(`where=${where}`)).ids).toEqual([ids[0], ids[2]]);
  expect((await send(server, caller, `GET /organizations/count?where=${where}`)).body).toBe(2);
  const fields = await send<Page<Organization>>(server, caller, 'GET /organizations?fields=role%20name&limit=1');
  expect(fields.body.items).toEqual([{ name: 'First ones', role: 'owner' }]);
  const other = await newUser();
  expectCode(await send(server, other, `GET /organizations?token=${first.next}`), 400, 'INVALID_CURSOR');
  expect((await send<Page<Organization>>(server, other, 'GET /organizations')).body.items).toEqual([]);
});

describe('/organization', () => {
  it('is what the header names, as every member reads it', async () => {
    const team = await createTeam(server);
    const { body } = await send(server, team.member, 'GET /organization?fields=id%20role');
    expect(body).toEqual({ id: team.organizationId, role: 'member' });
    const { accessToken } = team.member;
    expectCode(await send(server, { accessToken }, 'GET /organization'), 400, 'ORGANIZATION_REQUIRED');
  });

  it('changes; the slug stays', async () => {
    const team = await createTeam(server);
    const before = (await send<Organization>(server, team.owner, 'GET /organization')).body;
    const answer = await send(server, team.owner, 'PATCH /organization', { name: 'Renamed', signup: 'invite' });
    expect(answer.body).toEqual({ ...before, name: 'Renamed', signup: 'invite', version: 2 });
    const refused = await send(server, team.owner, 'PATCH /organization', { slug: 'x', signup: 'closed' });
    expectCode(refused, 400, 'VALIDATION_ERROR', ['/signup', '/slug']);
    expect((await send(server, team.owner, 'PATCH /organization', {})).body).toEqual(answer.body);
  });
});

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
    await insertOrganizations(120, member.id, 'member');
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

const listeners = () =>
  server.execute(
    `select pid from pg_stat_activity where datname = current_database() and query = 'listen access_changed'`,
  );

it('the connection that listens for changes is opened again if the server drops it; until then every request asks the database', async () => {
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
