import { createHmac, generateKeyPairSync, randomUUIDv7, sign } from 'node:crypto';
import { sign as signCookie } from 'cookie-signature';
import { beforeEach, describe, expect, it } from 'vitest';
import { RefreshTokens } from '#session-tokens';
import { Session } from '../../src/domain/session/session.table.ts';
import { insertMember, insertUser } from '../support/fixtures.ts';
import { rawRequest } from '../support/raw.ts';
import { isAccepted, type SignIn, serve, signIn } from '../support/server.ts';

const server = await serve({ env: { CORS_ORIGINS: 'https://app.example' } });
const member = await insertMember(server.orm);
/** A session that stays; tests of the cookie have one each. */
const lasting = await signIn(server.url, member.email);

const get = (path: string, authorization: string[]) =>
  rawRequest(`${server.url}${path}`, {
    headers: [...authorization.flatMap((each) => ['authorization', each]), 'x-organization-id', member.organizationId],
  });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

/** The session's own token with other members, signed again by our own key unless another is given. */
function resign(header: object, claims: object = {}, key = server.secrets.privateKeys[0]): string {
  const [oldHeader, oldClaims] = lasting.accessToken.split('.').map((part, index) => (index < 2 ? decode(part) : part));
  const input = `${encode({ ...oldHeader, ...header })}.${encode({ ...oldClaims, ...claims })}`;
  if (!key) throw new Error('No key.');
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
}

const now = () => Math.floor(Date.now() / 1000);
const foreign = generateKeyPairSync('ed25519').privateKey;

const jwk = () => server.services.accessTokens.jwks().keys[0];
const embedded = foreign.export({ format: 'jwk' });
const parts = () => lasting.accessToken.split('.');
const changed = () =>
  parts()
    .with(1, encode({ sub: randomUUIDv7() }))
    .join('.');

function hs256(secret: string | Buffer = Buffer.from(jwk()?.x ?? '', 'base64url')): string {
  const input = resign({ alg: 'HS256' }).split('.').slice(0, 2).join('.');
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

describe('an access token', () => {
  it('is accepted as it was issued, and signed again by our own key: what is refused below is refused for its reason', async () => {
    for (const token of [lasting.accessToken, resign({})]) {
      expect((await get('/auth/me', [`bearer ${token}`])).status).toBe(200);
      expect((await get('/events', [`Bearer ${token}`])).status).toBe(200);
    }
  });

  it.each<[string, () => string[]]>([
    ['absent', () => []],
    ['empty', () => ['']],
    ['sent without its scheme', () => [lasting.accessToken]],
    ['sent under another scheme', () => [`Token ${lasting.accessToken}`]],
    ['doubled', () => [`Bearer ${lasting.accessToken}`, `Bearer ${lasting.accessToken}`]],
    ['doubled, the first one bad', () => ['Bearer x', `Bearer ${lasting.accessToken}`]],
    ['doubled, the second one bad', () => [`Bearer ${lasting.accessToken}`, 'Bearer x']],
    ['doubled in one header', () => [`Bearer ${lasting.accessToken}, Bearer ${lasting.accessToken}`]],
    ['the refresh token', () => [`Bearer ${lasting.refreshToken}`]],
    ['the signed cookie', () => [`Bearer ${decodeURIComponent(lasting.cookie.slice('token='.length))}`]],
    ['of alg none', () => [`Bearer ${resign({ alg: 'none' }).split('.').slice(0, 2).join('.')}.`]],
    ['of HS256 with the public key as the secret', () => [`Bearer ${hs256()}`]],
    ['of a foreign key under our kid', () => [`Bearer ${resign({}, {}, foreign)}`]],
    ['of an injected kid', () => [`Bearer ${resign({ kid: '../../../dev/null' })}`]],
    ['of a key at jku', () => [`Bearer ${resign({ jku: 'http://127.0.0.1:1/keys' }, {}, foreign)}`]],
    ['of an embedded key', () => [`Bearer ${resign({ jwk: embedded, kid: 'x' }, {}, foreign)}`]],
    ['of another type', () => [`Bearer ${resign({ typ: 'JWT' })}`]],
    ['with a critical header', () => [`Bearer ${resign({ crit: ['b64'], b64: true })}`]],
    ['for another audience', () => [`Bearer ${resign({}, { aud: 'https://other.example' })}`]],
    ['of another issuer', () => [`Bearer ${resign({}, { iss: 'https://other.example' })}`]],
    ['expired', () => [`Bearer ${resign({}, { iat: now() - 1900, exp: now() - 100 })}`]],
    ['from the future', () => [`Bearer ${resign({}, { iat: now() + 600, exp: now() + 2400 })}`]],
    ['of a life that we do not give', () => [`Bearer ${resign({}, { iat: now() - 3600, exp: now() + 36_000 })}`]],
    ['of a session that does not exist', () => [`Bearer ${resign({}, { sid: randomUUIDv7() })}`]],
    ['of a session that is another user’s', () => [`Bearer ${resign({}, { sub: randomUUIDv7() })}`]],
    ['of a session that is no id', () => [`Bearer ${resign({}, { sid: "x' or '1'='1" })}`]],
    ['of alg none with a signature', () => [`Bearer ${resign({ alg: 'none' })}`]],
    ['of alg None', () => [`Bearer ${resign({ alg: 'None' }).split('.').slice(0, 2).join('.')}.`]],
    ['of HS256 with the public JWK as the secret', () => [`Bearer ${hs256(JSON.stringify(jwk()))}`]],
    ['with changed claims under the old signature', () => [`Bearer ${changed()}`]],
    ['without a signature', () => [`Bearer ${parts().slice(0, 2).join('.')}`]],
    ['with an empty signature', () => [`Bearer ${parts().slice(0, 2).join('.')}.`]],
    ['with a fourth part', () => [`Bearer ${lasting.accessToken}.AAAA`]],
    ['padded', () => [`Bearer ${lasting.accessToken}==`]],
    ['dots', () => ['Bearer ..']],
    ['no JSON', () => ['Bearer AAAA.BBBB.CCCC']],
    ['longer than any of ours', () => [`Bearer ${'A'.repeat(5_000)}.${lasting.accessToken}`]],
    ...[
      ...[{ alg: 'ES256' }, { alg: 'Ed25519' }, { alg: undefined }, { typ: undefined }, { typ: 'rt+jwt' }],
      ...[{ kid: 'unknown' }, { kid: undefined }, { kid: "' or 1=1 --" }, { kid: '__proto__' }, { kid: { $ne: '' } }],
      ...[{ crit: ['exp'] }, { x5u: 'https://attacker.example/cert.pem' }, { x5c: ['MIIB'] }],
    ].map((header): [string, () => string[]] => {
      const key = 'x5u' in header || 'x5c' in header ? foreign : undefined;
      return [`of the header ${JSON.stringify(header)}`, () => [`Bearer ${resign(header, {}, key)}`]];
    }),
    ...[
      ...[{ iss: undefined }, { aud: undefined }, { jti: undefined }, { sub: undefined }, { sid: undefined }],
      ...[{ iat: undefined }, { exp: undefined }, { exp: '9999999999' }, { nbf: now() + 600 }],
      ...[{ sub: 'admin' }, { sid: '0' }, { sid: { id: lasting.sessionId } }],
    ].map((claims): [string, () => string[]] => [
      `of the claims ${JSON.stringify(claims)}, ${Object.keys(claims)}`,
      () => [`Bearer ${resign({}, claims)}`],
    ]),
    ['huge', () => [`Bearer ${'A'.repeat(12_000)}`]],
  ])('is refused with INVALID_TOKEN where it is %s', async (_name, authorization) => {
    for (const path of ['/auth/me', '/events']) {
      const { status, headers, text } = await get(path, authorization());
      expect({ status, code: JSON.parse(text).code }).toEqual({ status: 401, code: 'INVALID_TOKEN' });
      expect(headers['www-authenticate']).toBe('Bearer');
      if (path === '/auth/me') expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(Object.keys(JSON.parse(text)).sort()).toEqual(['code', 'request_id', 'status', 'title', 'type']);
    }
  });

  it('is read from the header only, and no session is opened by a cookie alone', async () => {
    const url = `${server.url}/auth/me`;
    for (const name of ['access_token', 'token', 'authorization']) {
      const headers = ['cookie', `${name}=${lasting.accessToken}`, 'x-access-token', lasting.accessToken];
      expect((await rawRequest(`${url}?${name}=${lasting.accessToken}`, { headers })).status).toBe(401);
    }
    expect((await rawRequest(url, { headers: ['cookie', lasting.cookie] })).status).toBe(401);
  });
});

let session: SignIn;
beforeEach(async () => {
  session = await signIn(server.url, (await insertUser(server.orm)).email);
});

const post = (path: string, headers: string[], body?: string) =>
  rawRequest(`${server.url}${path}`, { method: 'POST', headers, body });
const secret = () => server.secrets.cookieSecrets[0] as string;
const cookieOf = (value: string, key = secret()) => `token=${encodeURIComponent(`s:${signCookie(value, key)}`)}`;
const counter = async () => (await server.orm.em.fork().findOneOrFail(Session, session.sessionId)).counter;

describe('the cookie at POST /auth/refresh', () => {
  it('is accepted in our own making here: what is refused below is refused for its reason', async () => {
    const own = cookieOf(session.refreshToken);
    // some clients send the colon bare
    for (const cookie of [own, own.replace('%3A', ':'), `a=b; ${own}; c=d`, `a=b;${own}`]) {
      expect([cookie, (await post('/auth/refresh', ['cookie', cookie])).status]).toEqual([cookie, 200]);
    }
  });

  it.each<[string, () => string[]]>([
    ['stripped of its signature', () => [`token=${session.refreshToken}`]],
    ['stripped of its prefix', () => [session.cookie.replace('s%3A', '')]],
    ['without the signature behind the dot', () => [session.cookie.slice(0, session.cookie.lastIndexOf('.') + 1)]],
    ['signed with a foreign key', () => [cookieOf(session.refreshToken, 'foreign')]],
    ['signed with an empty key', () => [cookieOf(session.refreshToken, '')]],
    ['truncated', () => [session.cookie.slice(0, -3)]],
    ['longer than it was', () => [`${session.cookie}AAA`]],
    ['changed in its value', () => [session.cookie.replace('s%3A', 's%3AA')]],
    ['in another case', () => [session.cookie.toLowerCase()]],
    ['under another name', () => [session.cookie.replace('token=', 'refresh_token=')]],
    ['empty', () => ['token=']],
    ['huge', () => [`token=s%3A${'A'.repeat(12_000)}`]],
    ['doubled', () => [`${session.cookie}; ${session.cookie}`]],
    ['doubled in two headers', () => [session.cookie, session.cookie]],
    ['doubled, the other one bad', () => [`token=x; ${session.cookie}`]],
    ['the access token', () => [`token=${session.accessToken}`]],
    ['not there among others', () => ['a=b; tokens=c; xtoken=d']],
    ['named in another case', () => [session.cookie.replace('token=', 'Token=')]],
    ['without a value', () => ['token']],
    ['without a signature', () => [`token=s:${session.refreshToken}`]],
    ['padded', () => [`${session.cookie}=`]],
    ['in quotes', () => [`token="${session.cookie.slice('token='.length)}"`]],
    ['broken in its percent encoding', () => [`${session.cookie}%E0%A4%A`]],
    ['encoded twice', () => [`token=${encodeURIComponent(session.cookie.slice('token='.length))}`]],
    ['a JSON cookie', () => ['token=j:{"a":1}']],
    ['doubled, the other one empty', () => [`token=; ${session.cookie}`]],
  ])('counts as absent where it is %s: TOKEN_NOT_FOUND', async (_name, cookies) => {
    const { status, headers, text } = await post(
      '/auth/refresh',
      cookies().flatMap((each) => ['cookie', each]),
    );
    expect({ status, code: JSON.parse(text).code }).toEqual({ status: 401, code: 'TOKEN_NOT_FOUND' });
    expect(headers['set-cookie']).toBeUndefined();
    expect(await counter()).toBe(0);
    expect(await isAccepted(server.url, session.accessToken)).toBe(true);
  });

  it.each<[string, () => string]>([
    [
      'of a session that does not exist',
      () => new RefreshTokens([secret()]).issue({ sessionId: randomUUIDv7(), counter: 0 }),
    ],
    [
      'of a counter that was never reached',
      () => new RefreshTokens([secret()]).issue({ sessionId: session.sessionId, counter: 9 }),
    ],
    ['that is no token', () => 'anything'],
    ['that is empty', () => ''],
  ])('is authentic but dead where it signs a token %s: INVALID_TOKEN', async (_name, value) => {
    const { status, headers, text } = await post('/auth/refresh', ['cookie', cookieOf(value())]);
    expect({ status, code: JSON.parse(text).code }).toEqual({ status: 401, code: 'INVALID_TOKEN' });
    expect(headers['set-cookie']).toBeUndefined();
    expect(await isAccepted(server.url, session.accessToken)).toBe(true);
  });

  it('is refused only after method and JSON, and before the input', async () => {
    const json = ['content-type', 'application/json'];
    const codes = await Promise.all([
      post('/auth/refresh', json, '{'),
      post('/auth/refresh', ['content-type', 'text/plain'], 'x'),
      post('/auth/refresh', json, JSON.stringify({ a: 'x'.repeat(110_000) })),
      post('/auth/refresh', json, '{"refresh_token":"x"}'),
      post('/auth/refresh', [...json, 'origin', 'https://attacker.example'], '{"refresh_token":"x"}'),
      rawRequest(`${server.url}/auth/refresh`, { headers: ['cookie', session.cookie] }),
    ]);
    expect(codes.map(({ status, text }) => [status, JSON.parse(text).code])).toEqual([
      [400, 'INVALID_JSON'],
      [415, 'UNSUPPORTED_MEDIA_TYPE'],
      [413, 'PAYLOAD_TOO_LARGE'],
      [401, 'TOKEN_NOT_FOUND'],
      [403, 'CROSS_SITE'],
      [405, 'METHOD_NOT_ALLOWED'],
    ]);
    for (const { headers } of codes) expect(headers['cache-control']).toBe('no-store');
    expect(await counter()).toBe(0);
  });
});

describe.each(['/auth/refresh', '/auth/logout'])('a page that calls POST %s', (path) => {
  it.each<[string, string[]]>([
    ['of another site', ['origin', 'https://attacker.example', 'sec-fetch-site', 'cross-site']],
    ['with two origins', ['origin', 'http://events.test', 'origin', 'https://attacker.example']],
  ])('is refused where it is one %s, and changes nothing', async (_name, headers) => {
    const response = await post(path, ['cookie', session.cookie, ...headers]);
    expect([response.status, JSON.parse(response.text).code]).toEqual([403, 'CROSS_SITE']);
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(await counter()).toBe(0);
    expect(await isAccepted(server.url, session.accessToken)).toBe(true);
  });

  it.each([
    ['the public URL', 'http://events.test', 'same-origin'],
    ['the address that it calls', server.url, 'same-origin'],
    ['CORS_ORIGINS', 'https://app.example', 'cross-site'],
  ])('passes where it is one of %s', async (_name, origin, site) => {
    const headers = ['cookie', session.cookie, 'origin', origin, 'sec-fetch-site', site];
    expect((await post(path, headers)).status).toBe(200);
  });
});
