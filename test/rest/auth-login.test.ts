import { createPublicKey } from 'node:crypto';
import { unsign } from 'cookie-signature';
import { decodeJwt, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { hashCost } from '#passwords';
import { Session } from '../../src/domain/session/session.table.ts';
import { User } from '../../src/domain/user/user.entity.ts';
import { entriesOf, insertUser, password } from '../support/fixtures.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { post, serve, signIn } from '../support/server.ts';

const server = await serve({ fullHashCost: true });

const login = (body: unknown, headers = {}) => post(`${server.url}/auth/login`, body, headers);
const auditOf = (subjectId: string | null) => entriesOf(server, { subject_id: subjectId });

describe('POST /auth/login', () => {
  it('answers the access token, its expiry in milliseconds and the refresh token, and sets the signed cookie', async () => {
    const { id, email } = await insertUser(server.orm);
    const before = Date.now();
    const { status, headers, body } = await login({ email, password });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store');
    const claims = decodeJwt(body.access_token as string);
    expect(claims.sub).toBe(id);
    expect(body.expires).toBe((claims.exp ?? 0) * 1000);
    expect(Math.abs((body.expires as number) - before - 30 * 60_000)).toBeLessThan(5_000);

    const [cookie, ...others] = headers.getSetCookie();
    expect(others).toEqual([]);
    const [pair = '', ...attributes] = (cookie ?? '').split('; ');
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/auth', 'SameSite=Lax']);
    expect(pair).toMatch(/^token=s%3A/);
    const signed = decodeURIComponent(pair.slice('token='.length)).slice(2);
    expect(unsign(signed, server.secrets.cookieSecrets[0] as string)).toBe(body.refresh_token);
  });

  it('gives a token that its published keys verify', async () => {
    const { email } = await insertUser(server.orm);
    const { accessToken } = await signIn(server.url, email);
    type Keys = { keys: Record<string, string>[] };
    const { status, headers, body } = await send<Keys>(server, {}, 'GET /.well-known/jwks.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const { keys } = body;
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    const key = createPublicKey({ key: keys[0] as Record<string, string>, format: 'jwk' });
    expect((await jwtVerify(accessToken, key)).protectedHeader.kid).toBe(keys[0]?.kid);
  });

  it('refuses with INVALID_CREDENTIALS, the same for a wrong password, an unknown address and an account without a password', async () => {
    const emailOf = async (input = {}) => (await insertUser(server.orm, input)).email;
    for (const body of [
      { email: await emailOf(), password: 'wrong' },
      { email: await emailOf(), password: '' },
      { email: 'nobody@example.org', password },
      { email: await emailOf({ password: null }), password },
      { email: await emailOf({ verified: false }), password: 'wrong' },
    ]) {
      const response = await login(body);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expectCode(response, 400, 'INVALID_CREDENTIALS');
      expect(response.body).toEqual({
        type: 'http://events.test/errors/INVALID_CREDENTIALS',
        title: 'The e-mail address or the password is wrong.',
        status: 400,
        code: 'INVALID_CREDENTIALS',
        request_id: expect.any(String),
      });
    }
  });

  it('says that an account is not verified only if the password is correct, and starts no session', async () => {
    const { id, email } = await insertUser(server.orm, { verified: false });
    const response = await login({ email, password });
    expect(response.headers.getSetCookie()).toEqual([]);
    expectCode(response, 401, 'USER_NOT_VERIFIED');
    expect(await server.orm.em.fork().count(Session, { user_id: id })).toBe(0);
    expect((await auditOf(id)).map((each) => each.detail)).toEqual([{ reason: 'not_verified' }]);
  });

  it('takes as long for an unknown address as for a wrong password', async () => {
    const { email } = await insertUser(server.orm);
    const { email: withoutPassword } = await insertUser(server.orm, { password: null });
    const addresses = { wrong: email, unknown: 'nobody-at-all@example.org', none: withoutPassword };
    // of the processor, which other processes do not make longer
    const least = { wrong: Infinity, unknown: Infinity, none: Infinity };
    for (let index = 0; index < 10; index += 1) {
      for (const kind of ['wrong', 'unknown', 'none'] as const) {
        const start = process.cpuUsage();
        await login({ email: addresses[kind], password: 'wrong' });
        const { user, system } = process.cpuUsage(start);
        least[kind] = Math.min(least[kind], user + system);
      }
    }
    // without the dummy hash it is a tenth
    for (const time of [least.unknown, least.none]) {
      expect(time / least.wrong).toBeGreaterThan(0.6);
      expect(time / least.wrong).toBeLessThan(1.7);
    }
  });

  it('renews a hash with another cost at the next sign-in, and keeps a current one', async () => {
    const current = { ...hashCost };
    Object.assign(hashCost, { memory: 8_192, passes: 1 });
    const { id, email } = await insertUser(server.orm);
    Object.assign(hashCost, current);
    const stored = async () => (await server.orm.em.fork().findOneOrFail(User, id)).password_hash;
    const hash = await stored();
    expect(hash).toContain('$m=8192,t=1,');
    await login({ email, password: 'wrong' });
    expect(await stored()).toBe(hash);
    await signIn(server.url, email);
    const renewed = await stored();
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await signIn(server.url, email);
    expect(await stored()).toBe(renewed);
  });

  it.each<[string, unknown, string[]]>([
    ['an empty body', {}, ['/email', '/password']],
    ['every fault at once', { email: 1, password: null, a: 1, 'b/c~d': 2 }, ['/email', '/password', '/a', '/b~1c~0d']],
    ['an address that is none', { email: 'nobody', password: 'x' }, ['/email']],
    ['a NUL in the password', { email: 'a@example.org', password: 'a\0b' }, ['/password']],
    ['a lone surrogate in the password', { email: 'a@example.org', password: 'a\ud800b' }, ['/password']],
    ['an object as the password', { email: 'a@example.org', password: { $ne: '' } }, ['/password']],
    ['a list', [], ['']],
  ])('refuses %s with VALIDATION_ERROR', async (_name, body, pointers) => {
    const response = await login(body);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expectCode(response, 400, 'VALIDATION_ERROR');
    expect([...new Set(pointersOf(response))].sort()).toEqual([...pointers].sort());
  });
});
