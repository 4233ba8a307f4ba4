import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeKeySecret } from '../../src/domain/api-key/api-key-secret.ts';
import { insertEvent } from '../support/fixtures.ts';
import { type Caller, expectCode, expectRefusal, globalId, graphql, type Page, query, send } from '../support/send.ts';
import { createKey, createTeam, join, serveTeam } from '../support/server.ts';
import { future } from '../support/write-faces.ts';

// What keys may do, and what not (reference/api-keys.md). What they are refused like anybody: order-of-checks.test.ts.

const { server, team } = await serveTeam();
const { owner, organizationId } = team;
const manager = await createKey(server, owner, { role: 'manager', name: 'Writer' });
const member = await createKey(server, owner, { role: 'member', name: 'Member' });
const reader = await createKey(server, owner, { role: 'manager', access: 'read', name: 'Reader' });
const draft = await insertEvent(server.orm, { organizationId, status: 0, name: 'Draft' });
const active = await insertEvent(server.orm, { organizationId, status: 1, name: 'Active', visibility: 'public' });

const bearer = (accessToken: string) => ({ accessToken });
const counting = '{ events { totalCount } }';

/** Checks that a list of events is refused by both APIs, and gives the two answers without their request ids. */
async function expectBoth(caller: Caller, status: number, code: string): Promise<string> {
  const rest = expectCode(await send(server, caller, 'GET /events'), status, code);
  const answer = await graphql(server, caller, counting);
  expectRefusal(answer, status, code);
  return rest + answer.text.replace(answer.headers.get('x-request-id') as string, '');
}

describe('signing in with a key', () => {
  it('needs no x-organization-id, and takes its own', async () => {
    for (const caller of [manager, bearer(manager.secret)]) {
      expect((await send(server, caller, `GET /events/${draft.id}`)).status).toBe(200);
    }
    const lower = { authorization: `bearer ${manager.secret}` };
    expect((await send(server, {}, `GET /events/${draft.id}`, undefined, lower)).status).toBe(200);
    const document = `query ($event: ID!, $ids: [ID!]!) {
      viewer { databaseId name email memberships { id } }
      organization { databaseId members { totalCount } }
      event(id: $event) { databaseId }
      nodes(ids: $ids) { __typename ... on User { name } }
    }`;
    const nodes = { User: reader.id, Organization: organizationId, Membership: team.member.membershipId };
    const ids = Object.entries(nodes).map(([type, id]) => globalId(type, id));
    expect(await query(server, bearer(manager.secret), document, { event: draft.id, ids })).toEqual({
      viewer: { databaseId: manager.id, name: 'Writer', email: null, memberships: [] },
      organization: { databaseId: organizationId, members: { totalCount: 3 } },
      event: { databaseId: draft.id },
      nodes: [{ __typename: 'User', name: 'Reader' }, { __typename: 'Organization' }, { __typename: 'Membership' }],
    });
  });

  it('is refused in another organization, and with a header that is none', async () => {
    const { organizationId: foreign } = await createTeam(server);
    const unknown = '01900000-0000-7000-8000-000000000000';
    const [other, none] = await Promise.all(
      [foreign, unknown].map((id) => expectBoth({ ...manager, organizationId: id }, 403, 'ORGANIZATION_FORBIDDEN')),
    );
    expect(other).toBe(none);
    for (const given of ['nonsense', '', `${organizationId}, ${organizationId}`]) {
      await expectBoth({ ...manager, organizationId: given }, 400, 'ORGANIZATION_REQUIRED');
    }
    // also where nothing of an organization is read
    const viewer = await graphql(server, { ...manager, organizationId: foreign }, '{ viewer { name } }');
    expectRefusal(viewer, 403, 'ORGANIZATION_FORBIDDEN');
  });

  it('sees and does what its role may', async () => {
    expect((await send(server, member, `GET /events/${draft.id}`)).status).toBe(404);
    expect((await send(server, member, `GET /events/${active.id}`)).status).toBe(200);
    expectCode(await send(server, member, 'POST /events', { name: 'x', ...future }), 403, 'FORBIDDEN');
    const made = await send(server, manager, 'POST /events', { name: 'By a machine', ...future });
    expect(made.status).toBe(201);
    const copy = await send(server, bearer(manager.secret), `POST /events/${made.body.id}/duplicate`, {});
    expect(copy.status).toBe(201);
    const trail = await server.execute(`select actor_id from audit_entry where action = 'event.created'`);
    expect(trail).toEqual(Array(2).fill({ actor_id: manager.id }));
    expect((await send<Page>(server, manager, 'GET /members')).body.items).toHaveLength(3);
    expect((await send<Page>(server, member, 'GET /members')).body.items).toEqual([]);
    const organization = { id: organizationId };
    expect((await send(server, manager, 'GET /organization')).body).toMatchObject({ ...organization, role: 'manager' });
    expect((await send<Page>(server, manager, 'GET /organizations')).body.items).toMatchObject([organization]);
    expect((await send(server, manager, `GET /organizations/${organizationId}/mails`)).status).toBe(200);
    expect((await send(server, manager, 'GET /invitations')).status).toBe(200);
  });

  it('exports and reads calendars', async () => {
    for (const path of ['/events/export?format=ndjson', `/events/${active.id}/calendar.ics`]) {
      const { status, text } = await send(server, { accessToken: reader.secret }, `GET ${path}`);
      expect([path, status, text]).toEqual([path, 200, expect.stringContaining('Active')]);
    }
  });

  it('is recorded to the minute, without a write for each request', async () => {
    const key = await createKey(server, owner);
    const shown = async () => (await send(server, owner, `GET /api-keys/${key.id}`)).body;
    const before = await shown();
    await send(server, key, 'GET /events');
    const { last_used_at: used, ...rest } = await shown();
    expect(Date.now() - Date.parse(String(used))).toBeLessThan(120_000);
    expect(Date.parse(String(used)) % 60_000).toBe(0);
    expect({ ...rest, last_used_at: null }).toEqual(before);
    const version = () => server.execute('select xmin from api_key where id = ?', [key.id]);
    const written = await version();
    const first = Math.floor(Date.now() / 60_000);
    for (let count = 0; count < 5; count += 1) await send(server, key, 'GET /events');
    if (Math.floor(Date.now() / 60_000) === first) expect(await version()).toEqual(written);
  });
});

describe('a key that is none', () => {
  it('gets one and the same 401, whatever it is', async () => {
    const ended = await createKey(server, owner);
    const expired = await createKey(server, owner);
    for (const key of [ended, expired]) expect((await send(server, key, 'GET /events')).status).toBe(200);
    await send(server, owner, `DELETE /api-keys/${ended.id}`);
    await server.execute(`update api_key set expires_at = now() - interval '1 second' where id = ?`, [expired.id]);
    await expect.poll(async () => (await send(server, expired, 'GET /events')).status).toBe(401);
    const mistyped = `${manager.secret.slice(0, -1)}${manager.secret.endsWith('0') ? '1' : '0'}`;
    const secrets = [ended.secret, expired.secret, makeKeySecret(), mistyped, 'evk_', 'evk_x', 'nonsense'];
    const texts = await Promise.all(secrets.map((secret) => expectBoth(bearer(secret), 401, 'INVALID_TOKEN')));
    expect(new Set(texts).size).toBe(1);
    const { headers } = await send(server, bearer('evk_'), 'GET /events');
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('costs no query if it is mistyped, and one if not', async () => {
    const find = vi.spyOn(server.services.access, 'findKey');
    onTestFinished(() => find.mockRestore());
    for (const mistyped of [`${makeKeySecret()}x`, makeKeySecret().replace(/.$/, '-')])
      await send(server, bearer(mistyped), 'GET /events');
    expect(find).not.toHaveBeenCalled();
    await send(server, bearer(makeKeySecret()), 'GET /events');
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('has expired to the moment, though it was known a moment ago', async () => {
    const key = await createKey(server, owner, { expires_at: new Date(Date.now() + 1_500).toISOString() });
    expect((await send(server, key, 'GET /events')).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expectCode(await send(server, key, 'GET /events'), 401, 'INVALID_TOKEN');
  });
});

describe('what no key may do', () => {
  it('is to write if it only reads, under any Idempotency-Key', async () => {
    const twice = `mutation { a: deleteEvent(input: {id: "${draft.id}"}) { deletedEventId }
      b: deleteEvent(input: {id: "x"}) { deletedEventId } }`;
    for (const key of ['fresh-1', 'not visible', 'x'.repeat(300)]) {
      const headers = { 'idempotency-key': key };
      expectCode(await send(server, reader, 'POST /events', { name: 1 }, headers), 403, 'FORBIDDEN');
      expectRefusal(await graphql(server, reader, twice, undefined, headers), 403, 'FORBIDDEN');
    }
    expect((await send(server, owner, `GET /events/${draft.id}`)).status).toBe(200);
  });

  it('lets a key that only reads query by POST', async () => {
    expect((await send(server, reader, 'POST /events/query', {})).status).toBe(200);
    expect((await send(server, reader, `POST /events/${active.id}/subscriptions/query`, {})).status).toBe(200);
  });

  const subscribing = (input: string) =>
    `mutation { subscribeToEvent(input: {eventId: "${active.id}"${input}}) { event { id } } }`;
  it.each([
    ['POST /auth/login', { email: 'nobody@example.org', password: 'x' }],
    ['POST /auth/refresh'],
    ['POST /auth/signup', {}],
    ['GET /auth/sessions', undefined, '{ viewer { sessions { totalCount } } }'],
    [`POST /events/${active.id}/subscriptions`, {}, subscribing('')],
    [`POST /events/${active.id}/subscriptions`, { user_id: manager.id }, subscribing(`, userId: "${manager.id}"`)],
    [`POST /events/${active.id}/subscriptions`, { answers: 'nonsense' }],
  ] as [string, unknown?, string?][])('%s %j', async (request, body, document) => {
    expectCode(await send(server, manager, request, body), 403, 'FORBIDDEN');
    if (document) expect((await graphql(server, manager, document)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    // who may be subscribed is a question of the input
    if (request.endsWith('/subscriptions')) return;
    const sent = await send(server, manager, request, body, { 'idempotency-key': 'not visible' });
    expectCode(sent, 403, 'FORBIDDEN');
  });

  it('subscribes members with the key of a manager, and no key', async () => {
    const guest = await join(server, organizationId, 'member');
    const path = `POST /events/${active.id}/subscriptions`;
    const made = await send(server, manager, path, { user_id: guest.userId });
    expect([made.status, made.body.user_id]).toEqual([201, guest.userId]);
    expectCode(await send(server, team.manager, path, { user_id: manager.id }), 400, 'VALIDATION_ERROR');
    const changes = await send<Page>(server, manager, `GET /events/${active.id}/subscriptions/${made.body.id}/changes`);
    expect(changes.body.items).toMatchObject([{ actor_id: manager.id }]);
  });

  it('is looked at by nothing public, which keeps its header', async () => {
    const document = '{ publicEvents { totalCount } }';
    for (const accessToken of [manager.secret, makeKeySecret(), 'evk_nonsense']) {
      const caller = { accessToken, organizationId };
      expect((await send(server, caller, `GET /public/events/${active.id}`)).status).toBe(200);
      expect((await graphql(server, caller, document)).errors).toBeUndefined();
      expectCode(await send(server, { accessToken }, 'GET /public/events'), 400, 'ORGANIZATION_REQUIRED');
      expectRefusal(await graphql(server, { accessToken }, document), 400, 'ORGANIZATION_REQUIRED');
    }
  });

  it('logs out without an effect', async () => {
    expect(await send(server, manager, 'POST /auth/logout')).toMatchObject({ status: 200, body: true });
    expect((await send(server, manager, 'GET /events')).status).toBe(200);
  });
});
