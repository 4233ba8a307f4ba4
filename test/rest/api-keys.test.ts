import { describe, expect, it } from 'vitest';
import { expectCode, type Page, send, trailOf } from '../support/send.ts';
import { createKey, createTeam, join, type MadeKey, serveTeam } from '../support/server.ts';

const { server, team } = await serveTeam();
const { owner } = team;

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
/** A key that has expired: nobody can create one. */
const expire = (id: string) =>
  server.execute(`update api_key set expires_at = now() - interval '1 second' where id = ?`, [id]);

describe('POST /api-keys', () => {
  it('creates a key and shows its secret this once', async () => {
    const body = { name: '  Ticket shop ', role: 'member' };
    const made = await send<MadeKey>(server, owner, 'POST /api-keys', body);
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`/api-keys/${made.body.id}`);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const { secret, ...key } = made.body;
    expect(secret).toMatch(/^evk_[\w-]{43}[0-9A-Za-z]{6}$/);
    expect(key).toMatchObject({
      name: 'Ticket shop',
      access: 'read',
      prefix: secret.slice(0, 12),
      updated_at: key.created_at,
    });
    const one = await send(server, owner, `GET /api-keys/${key.id}`);
    expect(one.body).toEqual(key);
    expect((await server.execute('select * from api_key where id = ?', [key.id]))[0]).not.toHaveProperty('secret');
  });

  it.each([
    ['no name', { role: 'member' }, ['/name']],
    ['101 characters', { name: 'ä'.repeat(101), role: 'member' }, ['/name']],
    ['the role of an owner, and a strange access', { name: 'x', role: 'owner', access: 'all' }, ['/role', '/access']],
    ['an expiry in 11 years', { name: 'x', role: 'member', expires_at: inDays(4020) }, ['/expires_at']],
    ['an expiry that is no time', { name: 'x', role: 'member', expires_at: '2031-01-01' }, ['/expires_at']],
    ['a field that it has not', { name: 'x', role: 'member', secret: 'x' }, ['/secret']],
  ])('refuses %s', async (_, body, pointers) => {
    expectCode(await send(server, owner, 'POST /api-keys', body), 400, 'VALIDATION_ERROR', pointers);
  });

  it('does not show a secret that can no longer be read, and creates nothing instead', async () => {
    const headers = { 'idempotency-key': 'make-a-key-once-4712' };
    await send<MadeKey>(server, owner, 'POST /api-keys', { name: 'Lost', role: 'member' }, headers);
    await server.execute(`update idempotency_key set body = 'sealed:AAAA' where body like 'sealed:%'`);
    expectCode(await send(server, owner, 'POST /api-keys', { name: 'Lost', role: 'member' }, headers), 409, 'CONFLICT');
    const where = encodeURIComponent('{"name":"Lost"}');
    expect((await send<Page>(server, owner, `GET /api-keys?where=${where}`)).body.length).toBe(1);
  });

  it('keeps 100 live keys at most; one that expired or was ended is none', async () => {
    const { owner: other, organizationId } = await createTeam(server);
    const first = await createKey(server, other);
    const second = await createKey(server, other);
    await server.execute(
      `with filler as (insert into "user" (id, name) select gen_random_uuid(), 'filler' from generate_series(1, 98) returning id)
        insert into api_key (id, organization_id, role, access, prefix, hash, created_by)
        select id, ?, 'member', 'read', 'evk_', id::text, ? from filler`,
      [organizationId, other.userId],
    );
    const refused = await send(server, other, 'POST /api-keys', { name: 'x', role: 'member' });
    expectCode(refused, 409, 'CONFLICT');
    await expire(first.id);
    await createKey(server, other);
    expectCode(await send(server, other, 'POST /api-keys', { name: 'x', role: 'member' }), 409, 'CONFLICT');
    await send(server, other, `DELETE /api-keys/${second.id}`);
    await createKey(server, other);
    expect((await send(server, other, 'GET /api-keys/count')).body).toBe(101);
  });

  it('makes a key that outlives the role and the membership of its maker', async () => {
    const maker = await join(server, team.organizationId, 'owner');
    const key = await createKey(server, maker);
    await send(server, owner, `PATCH /members/${maker.membershipId}`, { role: 'member' });
    expect((await send(server, key, 'GET /events')).status).toBe(200);
    await send(server, owner, `DELETE /members/${maker.membershipId}`);
    expect((await send(server, key, 'GET /events')).status).toBe(200);
    expect((await send(server, owner, `GET /api-keys/${key.id}`)).body).toMatchObject({ created_by: maker.userId });
  });
});

describe('the list of keys', () => {
  it('is for owners of the organization alone', async () => {
    const key = await createKey(server, owner);
    for (const caller of [team.manager, team.member, key])
      expectCode(await send(server, caller, `GET /api-keys/${key.id}`), 403, 'FORBIDDEN');
  });

  it('keeps an expired key, and no ended one', async () => {
    const { owner: other } = await createTeam(server);
    const expired = await createKey(server, other, { name: 'Expired' });
    const ended = await createKey(server, other, { name: 'Ended' });
    await expire(expired.id);
    expect(await send(server, other, `DELETE /api-keys/${ended.id}`)).toMatchObject({ status: 200, body: true });
    const { body } = await send<Page>(server, other, 'GET /api-keys');
    expect(body.items.map(({ id }) => id)).toEqual([expired.id]);
    for (const [method, sent] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
      expectCode(await send(server, other, `${method} /api-keys/${ended.id}`, sent), 404, 'NOT_FOUND');
    }
  });
});

describe('PATCH and DELETE /api-keys/{key}', () => {
  it('renames a key, in history too, and leaves the rest', async () => {
    const key = await createKey(server, owner, { name: 'Before' });
    const { secret, accessToken, organizationId, ...shown } = key;
    const answer = await send(server, owner, `PATCH /api-keys/${key.id}`, { name: ' After ' });
    expect(answer.body).toEqual({ ...shown, name: 'After', updated_at: answer.body.updated_at });
    expect(String(answer.body.updated_at) > key.created_at).toBe(true);
    const same = await send(server, owner, `PATCH /api-keys/${key.id}`, { name: 'After' });
    expect(same.body).toEqual(answer.body);
    for (const body of [{ role: 'member' }, { access: 'read' }, { expires_at: null }, { name: '' }, { name: null }]) {
      expectCode(await send(server, owner, `PATCH /api-keys/${key.id}`, body), 400, 'VALIDATION_ERROR');
    }
    expect((await send(server, key, 'GET /events')).status).toBe(200);
  });

  it('writes who did what to the audit trail, and no secret', async () => {
    const key = await createKey(server, owner, { name: 'Watched' });
    await send(server, owner, `PATCH /api-keys/${key.id}`, { name: 'Seen' });
    await send(server, owner, `DELETE /api-keys/${key.id}`);
    const entries = await trailOf(server, owner, { subject_id: key.id });
    expect(entries.map(({ action, actor_id }) => [action, actor_id])).toEqual(
      ['api_key.created', 'api_key.changed', 'api_key.ended'].map((action) => [action, owner.userId]),
    );
    const made = { name: 'Watched', role: 'manager', access: 'write', webhooks: false, expires_at: null };
    expect(entries[0]?.detail).toEqual(made);
    const all = JSON.stringify(await server.execute('select * from audit_entry')) + server.logLines.join('');
    expect(all).not.toContain(key.secret);
    expect(all).not.toContain(key.secret.slice(12));
  });
});
