import type { MikroORM } from '@mikro-orm/postgresql';
import { decodeJwt } from 'jose';
import { expect } from 'vitest';
import { insertUser, password, type UserInput } from './fixtures.ts';
import { type Answer, send } from './send.ts';

export interface SignIn {
  accessToken: string;
  refreshToken: string;
  sessionId: string;
  /** The pair `token=…` to send back in `Cookie`. */
  cookie: string;
}

/** Posts JSON to an address; an undefined body sends none. */
export function post<Body = Record<string, unknown>>(url: string, body?: unknown, headers?: Record<string, string>) {
  const { origin, pathname, search } = new URL(url);
  return send<Body>({ url: origin }, {}, `POST ${pathname}${search}`, body, headers);
}

/** Signs in a fixture user, through the interface. */
export async function signIn(url: string, email: string, secret = password): Promise<SignIn> {
  return readSignIn(await send({ url }, {}, 'POST /auth/login', { email, password: secret }));
}

/** A user who was just made, signed in. */
export async function signInNew({ url, orm }: { url: string; orm: MikroORM }, input: UserInput = {}) {
  const { id: userId, email } = await insertUser(orm, input);
  return { userId, email, ...(await signIn(url, email)) };
}

/** Refreshes with a cookie, through the interface. */
export function refreshWith(url: string, cookie: string) {
  return send({ url }, {}, 'POST /auth/refresh', undefined, { cookie });
}

/** Reads the answer of a sign-in or a refresh that succeeded. */
export function readSignIn({ status, text, headers, body }: Answer<unknown>): SignIn {
  expect(status, text).toBe(200);
  const { access_token: accessToken, refresh_token: refreshToken } = body as Record<string, string>;
  if (!accessToken || !refreshToken) throw new Error('The answer holds no tokens.');
  return { accessToken, refreshToken, sessionId: String(decodeJwt(accessToken).sid), cookie: cookiePair(headers) };
}

/** The `name=value` pair of the only cookie that an answer sets. */
function cookiePair(headers: Headers): string {
  const cookies = headers.getSetCookie();
  expect(cookies).toHaveLength(1);
  return cookies[0]?.split(';')[0] as string;
}

/** Whether an access token is accepted. */
export async function isAccepted(url: string, accessToken: string): Promise<boolean> {
  const { status } = await send({ url }, { accessToken }, 'GET /auth/me');
  expect([200, 401]).toContain(status);
  return status === 200;
}
