import { createHmac, generateKeyPairSync, randomUUIDv7, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertMember } from '../support/fixtures.ts';
import { rawRequest } from '../support/raw.ts';
import { serve, signIn } from '../support/server.ts';

const server = await serve();
const member = await insertMember(server.orm);
const organizationId = member.organizationId;
const session = await signIn(server.url, member.email);

const get = (path: string, authorization: string[]) =>
  rawRequest(`${server.url}${path}`, {
    headers: [...authorization.flatMap((each) => ['authorization', each]), 'x-organization-id', organizationId],
  });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

/** The session's own token with other members, signed again by our own key unless another is given. */
function resign(header: object, claims: object = {}, key = server.secrets.privateKeys[0]): string {
  const [oldHeader, oldClaims] = session.accessToken.split('.').map((part, index) => (index < 2 ? decode(part) : part));
  const input = `${encode({ ...oldHeader, ...header })}.${encode({ ...oldClaims, ...claims })}`;
  if (!key) throw new Error('No key.');
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
}

const now = () => Math.floor(Date.now() / 1000);
const foreign = generateKeyPairSync('ed25519').privateKey;

const jwk = () => server.services.accessTokens.jwks().keys[0];
const embedded = foreign.export({ format: 'jwk' });
const parts = () => session.accessToken.split('.');
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
    for (const token of [session.accessToken, resign({})]) {
      expect((await get('/auth/me', [`bearer ${token}`])).status).toBe(200);
      expect((await get('/events', [`Bearer ${token}`])).status).toBe(200);
    }
  });

  it.each<[string, () => string[]]>([
    ['absent', () => []],
    ['empty', () => ['']],
    ['sent without its scheme', () => [session.accessToken]],
    ['sent under another scheme', () => [`Token ${session.accessToken}`]],
    ['doubled', () => [`Bearer ${session.accessToken}`, `Bearer ${session.accessToken}`]],
    ['doubled, the first one bad', () => ['Bearer x', `Bearer ${session.accessToken}`]],
    ['doubled, the second one bad', () => [`Bearer ${session.accessToken}`, 'Bearer x']],
    ['doubled in one header', () => [`Bearer ${session.accessToken}, Bearer ${session.accessToken}`]],
    ['the refresh token', () => [`Bearer ${session.refreshToken}`]],
    ['the signed cookie', () => [`Bearer ${decodeURIComponent(session.cookie.slice('token='.length))}`]],
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
    ['with a fourth part', () => [`Bearer ${session.accessToken}.AAAA`]],
    ['padded', () => [`Bearer ${session.accessToken}==`]],
    ['dots', () => ['Bearer ..']],
    ['no JSON', () => ['Bearer AAAA.BBBB.CCCC']],
    ['longer than any of ours', () => [`Bearer ${'A'.repeat(5_000)}.${session.accessToken}`]],
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
      ...[{ sub: 'admin' }, { sid: '0' }, { sid: { id: session.sessionId } }],
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
      const headers = ['cookie', `${name}=${session.accessToken}`, 'x-access-token', session.accessToken];
      expect((await rawRequest(`${url}?${name}=${session.accessToken}`, { headers })).status).toBe(401);
    }
    expect((await rawRequest(url, { headers: ['cookie', session.cookie] })).status).toBe(401);
  });
});
