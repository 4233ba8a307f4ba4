import { randomUUIDv7 } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { insertMembership } from '../support/fixtures.ts';
import { guestAddress, settleMails } from '../support/guests.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { rawRequest } from '../support/raw.ts';
import { type Caller, callerHeaders, expectCode, graphql, send } from '../support/send.ts';
import { createTeam, serve, type Team } from '../support/server.ts';
import { created, createUnderKey, facesOf, future, restFace } from '../support/write-faces.ts';

// What an Idempotency-Key is bound to, and what it keeps (reference/writes.md#idempotency-keys), on both faces.

const server = await serve({ env: { TRUST_PROXY: '1' } });
const document = (name: string) =>
  `mutation { createEvent(input: {name: "${name}", dateStart: "${future.date_start}", dateEnd: "${future.date_end}"}) { event { id } } }`;

let team: Team;
beforeEach(async () => {
  team = await createTeam(server);
});

describe.each(facesOf(server))('a key by $name', (face) => {
  const create = (caller: Caller, key: string, name = 'Keyed') => createUnderKey(server, face.name, caller, key, name);
  const count = async (caller: Caller = team.manager) => (await send<number>(server, caller, 'GET /events/count')).body;
  const key = () => `key-${randomUUIDv7()}`;

  it('is one of its organization: in another one the same user makes another request with it', async () => {
    const { organizationId } = await createTeam(server);
    await insertMembership(server.orm, { organizationId, userId: team.manager.userId, role: 'manager' });
    const elsewhere = { ...team.manager, organizationId };
    const same = key();
    const [here, there] = [await create(team.manager, same), await create(elsewhere, same)];
    expect([here, there]).toMatchObject(Array(2).fill({ code: null, replayed: null }));
    expect(there.text).not.toBe(here.text);
    expect([await count(), await count(elsewhere)]).toEqual([1, 1]);
    expect(await create(team.manager, same)).toEqual({ ...here, replayed: 'true' });
    expect(await create(elsewhere, same)).toEqual({ ...there, replayed: 'true' });
    // with another body it is a mismatch in each, and in a third it is free
    expect((await create(elsewhere, same, 'Other')).code).toBe('IDEMPOTENCY_MISMATCH');
    expect([await count(), await count(elsewhere)]).toEqual([1, 1]);
  });

  it('is one of its user: somebody else of the organization makes another request with it', async () => {
    const same = key();
    const [mine, theirs] = [await create(team.manager, same), await create(team.owner, same, 'Other')];
    expect([mine, theirs]).toMatchObject(Array(2).fill({ code: null, replayed: null }));
    expect(await create(team.owner, same, 'Other')).toEqual({ ...theirs, replayed: 'true' });
    expect(await create(team.manager, same)).toEqual({ ...mine, replayed: 'true' });
    expect(await count()).toBe(2);
    // and what it answered to them is not for those who may not ask
    expect((await create(team.member, same)).code).toBe('FORBIDDEN');
  });

  it('keeps no refusal: the same request succeeds once it can', async () => {
    const event = await created(face, team.manager, { capacity: 0, waiting_list: false });
    const asked = { key: key() };
    expect((await face.subscribe(team.member, event.id, {}, asked)).code).toBe('EVENT_FULL');
    await face.updateEvent(team.manager, event.id, { capacity: 1 });
    const made = await face.subscribe(team.member, event.id, {}, asked);
    expect(made).toMatchObject({ code: null, value: { status: 'accepted' } });
    await face.move(team.member, event.id, made.value.id, { status: 'cancelled' });
    // what it keeps is what was, whatever became of it
    expect(await face.subscribe(team.member, event.id, {}, asked)).toEqual(made);
    expect((await face.createEvent(team.manager, { name: '', ...future }, asked)).code).toBe('VALIDATION_ERROR');
    expect((await face.createEvent(team.manager, { name: 'Now', ...future }, asked)).code).toBeNull();
  });

  it('that was used is a mismatch with a bad input, too', async () => {
    const asked = { key: key() };
    expect((await face.createEvent(team.manager, { name: 'Good', ...future }, asked)).code).toBeNull();
    for (const fields of [{ name: '' }, { capacity: -1 }, { slug: 'No Slug' }, { name: 'Other' }]) {
      const other = await face.createEvent(team.manager, { name: 'Good', ...future, ...fields }, asked);
      expect([other.code, other.pointers]).toEqual(['IDEMPOTENCY_MISMATCH', []]);
    }
    expect(await count()).toBe(1);
  });

  it('has 1 to 255 visible ASCII characters', async () => {
    for (const good of ['!', '~'.repeat(255), `"quoted, ${key()}"`.replace(' ', '_')]) {
      const made = await create(team.manager, good);
      expect([made.code, await create(team.manager, good)]).toEqual([null, { ...made, replayed: 'true' }]);
    }
    const before = await count();
    for (const bad of ['', 'a b', 'x'.repeat(256), 'caf\u00e9', 'a\tb']) {
      expect([bad, (await create(team.manager, bad)).code]).toEqual([bad, 'VALIDATION_ERROR']);
    }
    expect(await count()).toBe(before);
  });

  it('is looked at only if the viewer has the role', async () => {
    const same = key();
    const value = await created(face, team.manager);
    expect((await face.subscribe(team.member, value.id, {}, { key: same })).code).toBeNull();
    // a mismatch for who may create, and malformed
    expect((await create(team.member, same)).code).toBe('FORBIDDEN');
    expect((await create(team.member, 'a b')).code).toBe('FORBIDDEN');
    expect((await face.updateEvent(team.member, value.id, { name: '' }, { key: same })).code).toBe('FORBIDDEN');
    expect((await face.move(team.member, value.id, randomUUIDv7(), {}, { key: same })).code).toBe(
      'IDEMPOTENCY_MISMATCH',
    );
  });

  it('that is given twice is refused', async () => {
    const body = face.name === 'rest' ? { name: 'Twice', ...future } : { query: document('Twice') };
    const headers = { ...callerHeaders(team.manager), 'content-type': 'application/json' };
    const answer = await rawRequest(`${server.url}${face.name === 'rest' ? '/events' : '/graphql'}`, {
      method: 'POST',
      headers: [...Object.entries(headers).flat(), 'idempotency-key', 'a', 'idempotency-key', 'a'],
      body: JSON.stringify(body),
    });
    expect(answer.text).toContain('"VALIDATION_ERROR"');
    expect(await count()).toBe(0);
  });
});

describe('a key', () => {
  it('belongs to a method, a path and a face', async () => {
    const face = restFace(server);
    const [{ id: first }, { id: second }] = [await created(face, team.manager), await created(face, team.manager)];
    const asked = { 'idempotency-key': 'one' };
    const ask = (request: string, body?: unknown) => send(server, team.manager, request, body, asked);
    expect((await ask(`PATCH /events/${first}`, {})).status).toBe(200);
    expectCode(await ask(`PATCH /events/${second}`, {}), 422, 'IDEMPOTENCY_MISMATCH');
    expectCode(await ask(`DELETE /events/${first}`, {}), 422, 'IDEMPOTENCY_MISMATCH');
    expectCode(await ask(`POST /events/${first}/duplicate`, {}), 422, 'IDEMPOTENCY_MISMATCH');
    const [error] = (await graphql(server, team.manager, document('x'), undefined, asked)).errors ?? [];
    expect(error?.extensions.code).toBe('IDEMPOTENCY_MISMATCH');
    expect((await ask(`PATCH /events/${first}`, {})).headers.get('idempotency-replayed')).toBe('true');
  });

  it('makes every write outside of accounts happen once', async () => {
    const found = 'mutation { createOrganization(input: {name: "By GraphQL"}) { organization { id } } }';
    for (const [request, body] of [
      ['POST /organizations', { name: 'Founded' }],
      ['POST /invitations', { email: guestAddress(), role: 'member' }],
      [`DELETE /members/${team.member.membershipId}`],
      ['POST /graphql', { query: found }],
      [`POST /organizations/${team.organizationId}/delete`, { name: 'An organization' }],
    ] as [string, object?][]) {
      const asked = { 'idempotency-key': request.replace(' ', '') };
      const told = async () => {
        const { status, text, headers } = await send(server, team.owner, request, body, asked);
        return [status, text, headers.get('location'), headers.get('idempotency-replayed')];
      };
      const first = await told();
      expect(first[0], String(first)).toBeLessThan(300);
      expect(await told()).toEqual([...first.slice(0, 3), 'true']);
    }
    expect((await send<number>(server, team.owner, 'GET /organizations/count')).body).toBe(2);
  });

  it('means nothing for accounts', async () => {
    for (const [key, name] of [
      ['same', 'Ada'],
      ['same', 'Grace'],
      ['not a key', 'Ada'],
    ] as const) {
      const answer = await send(server, team.member, 'PATCH /auth/me', { name }, { 'idempotency-key': key });
      expect([answer.status, answer.body.name]).toEqual([200, name]);
      expect(answer.headers.get('idempotency-replayed')).toBeNull();
    }
  });

  it('wakes the runner once the mails are committed', async () => {
    const { organizationId } = team;
    const event = await insertPublicEvent(server, { organizationId });
    const nudge = vi.spyOn(server.services.jobs, 'nudge');
    onTestFinished(() => nudge.mockRestore());
    for (const [index, [request, body]] of [
      ['POST /invitations', { email: guestAddress(), role: 'member' }] as const,
      [`POST /public/events/${event.id}/subscriptions`, { name: 'Grace', email: guestAddress() }] as const,
      [`POST /events/${event.id}/subscriptions`, {}] as const,
    ].entries()) {
      await settleMails(server);
      const mails = `select kind from job where lane ~ 'mails' and due_at is not null`;
      const { promise: committed, resolve } = Promise.withResolvers<unknown[]>();
      nudge.mockImplementation((lane) => {
        if (lane.endsWith('_mails')) resolve(server.execute(mails));
      });
      const caller = request.includes('public') ? { organizationId } : team.manager;
      const answer = await send(server, caller, request, body, { 'idempotency-key': `mails-${index}` });
      expect(answer.status, answer.text).toBeLessThan(300);
      expect([request, (await committed).length]).toEqual([request, 1]);
    }
  });

  it('of somebody who is not signed in belongs to the network', async () => {
    const { organizationId } = team;
    const [event, other] = [
      await insertPublicEvent(server, { organizationId }),
      await insertPublicEvent(server, { organizationId }),
    ];
    const body = { name: 'Grace', email: guestAddress() };
    const ask = async (network: string, to = event, fields = body) => {
      const headers = { 'idempotency-key': 'guest', 'x-forwarded-for': network };
      const request = `POST /public/events/${to.id}/subscriptions`;
      const answer = await send(server, { organizationId }, request, fields, headers);
      return [answer.status, answer.headers.get('idempotency-replayed')];
    };
    expect(await ask('192.0.2.1')).toEqual([200, null]);
    expect(await ask('192.0.2.1')).toEqual([200, 'true']);
    expect(await ask('192.0.2.1', other)).toEqual([422, null]);
    expect(await ask('192.0.2.1', event, { ...body, name: 'Ada' })).toEqual([422, null]);
    expect(await ask('198.51.100.1', other)).toEqual([200, null]);
    await settleMails(server);
  });
});
