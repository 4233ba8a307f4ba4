import { randomUUIDv7 } from 'node:crypto';
import { sign } from 'cookie-signature';
import { beforeEach, describe, expect, it } from 'vitest';
import { RefreshTokens } from '#session-tokens';
import { Session } from '../../src/domain/session/session.table.ts';
import { insertUser } from '../support/fixtures.ts';
import { rawRequest } from '../support/raw.ts';
import { isAccepted, type SignIn, serve, signIn } from '../support/server.ts';

const server = await serve({ env: { CORS_ORIGINS: 'https://app.example' } });

let session: SignIn;
beforeEach(async () => {
  session = await signIn(server.url, (await insertUser(server.orm)).email);
});

const post = (path: string, headers: string[], body?: string) =>
  rawRequest(`${server.url}${path}`, { method: 'POST', headers, body });
const secret = () => server.secrets.cookieSecrets[0] as string;
const cookieOf = (value: string, key = secret()) => `token=${encodeURIComponent(`s:${sign(value, key)}`)}`;
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
