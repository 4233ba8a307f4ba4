import type { MikroORM } from '@mikro-orm/postgresql';
import { decodeJwt } from 'jose';
import { expect } from 'vitest';
import { insertUser, password, type UserInput } from './fixtures.ts';

export interface SignIn {
  accessToken: string;
  refreshToken: string;
  sessionId: string;
  /** The pair `token=…` to send back in `Cookie`. */
  cookie: string;
}

/** Posts JSON; an undefined body sends none. */
export async function post(url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  if (body === undefined) return await fetch(url, { method: 'POST', headers });
  return await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Signs in a fixture user, through the interface. */
export async function signIn(serverUrl: string, email: string, secret = password): Promise<SignIn> {
  return await readSignIn(await post(`${serverUrl}/auth/login`, { email, password: secret }));
}

/** A user who was just made, signed in. */
export async function signInNew({ url, orm }: { url: string; orm: MikroORM }, input: UserInput = {}) {
  const { id: userId, email } = await insertUser(orm, input);
  return { userId, email, ...(await signIn(url, email)) };
}

/** Refreshes with a cookie, through the interface. */
export async function refreshWith(serverUrl: string, cookie: string): Promise<Response> {
  return await post(`${serverUrl}/auth/refresh`, undefined, { cookie });
}

/** Reads the answer of a sign-in or a refresh that succeeded. */
export async function readSignIn(response: Response): Promise<SignIn> {
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const { access_token: accessToken, refresh_token: refreshToken } = JSON.parse(text) as Record<string, string>;
  if (!accessToken || !refreshToken) throw new Error('The answer holds no tokens.');
  return { accessToken, refreshToken, sessionId: String(decodeJwt(accessToken).sid), cookie: cookiePair(response) };
}

/** The `name=value` pair of the only cookie that an answer sets. */
function cookiePair(response: Response): string {
  const cookies = response.headers.getSetCookie();
  expect(cookies).toHaveLength(1);
  return cookies[0]?.split(';')[0] as string;
}

/** Whether an access token is accepted. */
export async function isAccepted(serverUrl: string, accessToken: string): Promise<boolean> {
  const response = await fetch(`${serverUrl}/auth/me`, { headers: { authorization: `Bearer ${accessToken}` } });
  expect([200, 401]).toContain(response.status);
  return response.status === 200;
}

/** Checks that an answer is the problem of a code, and gives it back. */
export async function expectProblem(response: Response, status: number, code: string) {
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status, text: expect.stringContaining(`"${code}"`) });
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  const problem = JSON.parse(text) as Record<string, unknown>;
  expect(problem).toMatchObject({ status, code, request_id: response.headers.get('x-request-id') });
  return problem;
}
