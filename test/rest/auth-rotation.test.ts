import { decodeProtectedHeader } from 'jose';
import { expect, it } from 'vitest';
import { parsePrivateKeys } from '#rotating-secrets';
import type { Secrets } from '../../src/config/secrets.ts';
import { type KeptSecrets, newSecret, rotate, secretKinds } from '../../src/config/secrets-file.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertEvent, insertMember } from '../support/fixtures.ts';
import { send } from '../support/send.ts';
import { isAccepted, readSignIn, refreshWith, signIn, startTestServer, type TestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const database = await shared(createTestDatabase());

const start = new Date();
let kept = Object.fromEntries(secretKinds.map((kind) => [kind, [newSecret(kind, start)]])) as KeptSecrets;

function turn(minutes: number): void {
  const now = new Date(start.getTime() + minutes * 60_000);
  kept = Object.fromEntries(secretKinds.map((kind) => [kind, rotate(kind, kept[kind], now).secrets])) as KeptSecrets;
}

/** Starts the service anew with what is kept by now, as an operator does. */
async function withServer<T>(use: (server: TestServer) => Promise<T>): Promise<T> {
  const values = (kind: (typeof secretKinds)[number]) => kept[kind].map(({ value }) => value);
  const secrets: Secrets = {
    cookieSecrets: values('cookie_secrets'),
    cursorSecrets: values('cursor_secrets'),
    encryptionKeys: values('encryption_keys'),
    privateKeys: values('jwt_private_keys').flatMap(parsePrivateKeys),
  };
  const server = await startTestServer({ databaseUrl: database.url, secrets });
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

const publishedBy = async (server: TestServer) =>
  (await send<{ keys: { kid: string }[] }>(server, {}, 'GET /.well-known/jwks.json')).body.keys.map(({ kid }) => kid);

it('keys are published before they sign; cookies, access tokens and cursors outlive each step of a rotation', async () => {
  const member = await insertMember(database.orm, { role: 'owner' });
  for (let index = 0; index < 2; index += 1) await insertEvent(database.orm, { organizationId: member.organizationId });
  const nextOf = async (server: TestServer, accessToken: string, token?: string) => {
    const query = token === undefined ? '' : `&token=${token}`;
    const caller = { accessToken, organizationId: member.organizationId };
    const { body } = await send<{ next: string; items: unknown[] }>(server, caller, `GET /events?limit=1${query}`);
    return body;
  };

  const first = await withServer(async (server) => {
    const session = await signIn(server.url, member.email);
    const { next } = await nextOf(server, session.accessToken);
    return { ...session, next, kid: decodeProtectedHeader(session.accessToken).kid };
  });

  turn(1);
  const second = await withServer(async (server) => {
    const published = await publishedBy(server);
    expect(published).toEqual([first.kid, expect.any(String)]);
    expect(await isAccepted(server.url, first.accessToken)).toBe(true);
    const refreshed = readSignIn(await refreshWith(server.url, first.cookie));
    expect(decodeProtectedHeader(refreshed.accessToken).kid).toBe(first.kid);
    return { ...refreshed, newKid: published[1] };
  });

  turn(11);
  await withServer(async (server) => {
    expect(await publishedBy(server)).toEqual([second.newKid, first.kid]);
    expect(await isAccepted(server.url, first.accessToken)).toBe(true);
    const refreshed = readSignIn(await refreshWith(server.url, second.cookie));
    expect(refreshed.sessionId).toBe(first.sessionId);
    expect(decodeProtectedHeader(refreshed.accessToken).kid).toBe(second.newKid);
    expect(await nextOf(server, refreshed.accessToken, first.next)).toMatchObject({ items: [{}] });
  });
});
