import type { KeyObject } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sign as signCookie } from 'cookie-signature';
import { calculateJwkThumbprint, decodeJwt, exportJWK, SignJWT } from 'jose';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parsePrivateKeys } from '#rotating-secrets';
import { RefreshTokens } from '#session-tokens';
import { type KeptSecrets, newSecret, type SecretKind, secretKinds } from '../../src/config/secrets-file.ts';
import { TextSealer } from '../../src/kernel/sealed-text.ts';
import { runCommand } from '../support/command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertEvent, insertMember } from '../support/fixtures.ts';
import { send } from '../support/send.ts';
import { isAccepted, readSignIn, refreshWith, type SignIn, signIn } from '../support/server.ts';
import { folderInTest, inTest } from '../support/shared.ts';
import { type StartedService, startService } from '../support/started-service.ts';

let database: TestDatabase;
let dataDir: string;
let env: Record<string, string>;
let services: StartedService[];
beforeEach(async () => {
  services = [];
  database = await inTest(createTestDatabase());
  dataDir = await folderInTest();
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir, PUBLIC_URL: 'http://events.test' };
});

/** What `npm start` runs; the URL where it is ready. */
async function start(given: Record<string, string> = {}): Promise<string> {
  const service = await startService({ LOG_LEVEL: 'error', ...env, ...given }, onTestFinished);
  services.push(service);
  return service.url;
}

const keys = (args: string[], given: Record<string, string> = {}) => runCommand('keys', args, { ...env, ...given });

const secretsFile = () => path.join(dataDir, 'secrets.json');
const kept = async () => JSON.parse(await readFile(secretsFile(), 'utf8')) as KeptSecrets;
const newest = (secrets: KeptSecrets, kind: SecretKind) => secrets[kind][0]?.value as string;

/** Somebody who signed in and is within a list. */
async function visit(url: string) {
  const { email, organizationId } = await insertMember(database.orm, { role: 'owner' });
  for (let index = 0; index < 2; index += 1) await insertEvent(database.orm, { organizationId });
  const session = await signIn(url, email);
  const { next } = await list(url, session, organizationId);
  return { ...session, email, organizationId, cursor: next };
}

async function list(url: string, { accessToken }: SignIn, organizationId: string, token?: string) {
  const request = `GET /events?limit=1${token === undefined ? '' : `&token=${token}`}`;
  const { status, body } = await send<{ next: string }>({ url }, { accessToken, organizationId }, request);
  return { status, ...body };
}

/** An access token of another session, as somebody makes it who has the key. */
async function forgeAccessToken(pem: string, genuine: string, sessionId: string): Promise<string> {
  const [key] = parsePrivateKeys(pem) as [KeyObject];
  const { x } = await exportJWK(key);
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x: x as string });
  return await new SignJWT({ ...decodeJwt(genuine), sid: sessionId, jti: 'forged' })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
    .sign(key);
}

/** The cookie of a session that was never refreshed, as somebody makes it who has the secret. */
function forgeCookie(secret: string, sessionId: string): string {
  const token = new RefreshTokens([secret]).issue({ sessionId, counter: 0 });
  return `token=${encodeURIComponent(`s:${signCookie(token, secret)}`)}`;
}

/** What forgeries of these secrets get for a session that nobody refreshed yet. */
async function attack(url: string, secrets: KeptSecrets, session: SignIn) {
  const pem = newest(secrets, 'jwt_private_keys');
  const token = await forgeAccessToken(pem, session.accessToken, session.sessionId);
  const cookie = forgeCookie(newest(secrets, 'cookie_secrets'), session.sessionId);
  return { token: await isAccepted(url, token), cookie: (await refreshWith(url, cookie)).status };
}

async function newKeys(url: string, old: KeptSecrets): Promise<void> {
  const [known] = parsePrivateKeys(newest(old, 'jwt_private_keys')) as [KeyObject];
  const { x } = await exportJWK(known);
  const published = () => send<{ keys: { x: string }[] }>({ url }, {}, 'GET /.well-known/jwks.json');
  const keysOf = async () => (await published()).body.keys.map((each) => each.x);
  await expect.poll(keysOf).toEqual([expect.not.stringContaining(x as string)]);
}

describe('keys revoke', () => {
  it('revokes all kept secrets under running services, and prints the consequences', async () => {
    const urls = await Promise.all([start(), start()]);
    const [url] = urls;
    const before = await visit(url);
    const old = await kept();
    expect(await attack(url, old, await signIn(url, before.email))).toEqual({ token: true, cookie: 200 });
    // a rotation leaves the leaked secrets among those that verify
    await keys(['rotate', '--now']);

    const { code, stdout } = await keys(['revoke']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^All sessions and their access tokens end: everyone must sign in again\.$/m);
    expect(stdout).toMatch(/^All cursors become invalid: .+$/m);
    expect(stdout).toMatch(/^2 sessions ended in the database of DATABASE_URL\.$/m);
    const now = await kept();
    for (const kind of secretKinds) {
      expect([kind, now[kind].length, newest(now, kind) === newest(old, kind)]).toEqual([kind, 1, false]);
      expect(stdout).not.toContain(newest(now, kind).trim());
    }
    expect((await stat(secretsFile())).mode & 0o777).toBe(0o600);

    const entries = await database.execute(
      `select detail, actor_id, organization_id from audit_entry where action = 'keys.revoked'`,
    );
    expect(entries).toEqual([{ detail: { keys: secretKinds, sessions: 2 }, actor_id: null, organization_id: null }]);
    expect(await database.execute('select distinct end_reason from session')).toEqual([{ end_reason: 'key_revoked' }]);

    for (const each of urls) {
      await newKeys(each, old);
      expect(await isAccepted(each, before.accessToken)).toBe(false);
      expect((await refreshWith(each, before.cookie)).status).toBe(401);
      // nor do the leaked secrets help with a session of afterwards
      const after = await signIn(each, before.email);
      expect(await attack(each, old, after)).toEqual({ token: false, cookie: 401 });
      expect(await list(each, after, before.organizationId, before.cursor)).toMatchObject({ code: 'INVALID_CURSOR' });
      const { next } = await list(each, after, before.organizationId);
      expect(await list(each, after, before.organizationId, next)).toMatchObject({ status: 200 });
      expect((await refreshWith(each, after.cookie)).status).toBe(200);
    }
  }, 60_000);

  it('jwt ends access tokens, and nobody signs in again', async () => {
    const url = await start();
    const before = await visit(url);
    const old = await kept();
    const { stdout } = await keys(['revoke', 'jwt']);
    expect(stdout).toMatch(/^All access tokens become invalid/);
    expect(stdout).not.toMatch(/sessions and their|cursors become|sessions ended/);
    await newKeys(url, old);
    expect(await isAccepted(url, before.accessToken)).toBe(false);
    const renewed = readSignIn(await refreshWith(url, before.cookie));
    expect(renewed.sessionId).toBe(before.sessionId);
    expect(await attack(url, old, renewed)).toMatchObject({ token: false });
    expect(await list(url, renewed, before.organizationId, before.cursor)).toMatchObject({ status: 200 });
  }, 60_000);

  it('encryption ends stored responses that show a secret, and nothing else; a rotation ends none', async () => {
    const url = await start();
    const { email, organizationId } = await insertMember(database.orm, { role: 'owner' });
    const { accessToken } = await signIn(url, email);
    const create = (key: string) =>
      send<{ secret: string }>({ url }, { accessToken, organizationId }, 'POST /api-keys', made, {
        'idempotency-key': key,
      });
    const made = { name: 'A machine', role: 'member' };
    const first = await create('once');
    await keys(['rotate', '--now', 'encryption']);
    const [rotated] = (await kept()).encryption_keys;
    await vi.waitFor(
      async () => {
        await create(`another-${Math.random()}`);
        // the running service encrypts with the new key by now
        const sealer = new TextSealer([rotated?.value as string]);
        const rows = await database.execute<{ body: string }>('select body from idempotency_key');
        expect(rows.some(({ body }) => sealer.isCurrent(body))).toBe(true);
      },
      { timeout: 30_000, interval: 500 },
    );
    expect((await create('once')).text).toBe(first.text);
    const { stdout } = await keys(['revoke', 'encryption']);
    expect(stdout).toMatch(/^Responses with a secret .* become unreadable/);
    expect(stdout).not.toMatch(/sessions|tokens|cursors become/);
    await expect.poll(async () => (await create('once')).status).toBe(409);
    expect(await isAccepted(url, accessToken)).toBe(true);
    const caller = { accessToken: first.body.secret };
    expect((await send({ url }, caller, 'GET /events')).status).toBe(200);
  }, 60_000);

  it('cursor ends cursors, and nobody is signed out', async () => {
    const url = await start();
    const before = await visit(url);
    const { stdout } = await keys(['revoke', 'cursor']);
    expect(stdout).toMatch(/^All cursors become invalid/);
    expect(stdout).not.toMatch(/sessions and their|tokens become|sessions ended/);
    const listed = () => list(url, before, before.organizationId, before.cursor);
    await expect.poll(listed).toMatchObject({ status: 400, code: 'INVALID_CURSOR' });
    expect((await refreshWith(url, before.cookie)).status).toBe(200);
  }, 60_000);

  it('jwt of the environment ends the sessions at once, and says what to put in its place', async () => {
    const given = { JWT_PRIVATE_KEY: newSecret('jwt_private_keys', new Date()).value };
    const url = await start(given);
    const before = await visit(url);
    const secrets = await kept();
    const { code, stdout } = await keys(['revoke', 'jwt'], given);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^All sessions and their access tokens end.*JWT_PRIVATE_KEY is set in the environment.*restart every process/s,
    );
    expect(await kept()).toEqual(secrets);
    await expect.poll(() => isAccepted(url, before.accessToken)).toBe(false);
    expect((await refreshWith(url, before.cookie)).status).toBe(401);

    const value = /^"(-----BEGIN.+)"$/m.exec(stdout)?.[1] as string;
    const restarted = await start({ JWT_PRIVATE_KEY: value });
    const after = await signIn(restarted, before.email);
    const forged = await forgeAccessToken(given.JWT_PRIVATE_KEY, after.accessToken, after.sessionId);
    expect(await isAccepted(restarted, forged)).toBe(false);
    expect(await isAccepted(restarted, after.accessToken)).toBe(true);
  }, 60_000);

  it('makes no database to end sessions in', async () => {
    await keys(['rotate', '--now']);
    const old = await kept();
    const { code, stdout, stderr } = await keys(['revoke'], { DATABASE_URL: '' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/there is no database under .+DATABASE_URL/);
    expect(await readdir(dataDir)).toEqual(['secrets.json']);
    expect(await kept()).toEqual(old);
  });

  it('replaces the secrets although the database is away, and asks to be run again', async () => {
    await keys(['rotate', '--now']);
    const old = await kept();
    const away = { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/d' };
    const { code, stderr } = await keys(['revoke'], away);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The sessions were not ended; run this again: .*ECONNREFUSED/),
    ]);
    expect(stderr).not.toContain('hidden');
    for (const kind of secretKinds) expect((await kept())[kind]).not.toContainEqual(old[kind][0]);
  }, 60_000);
});

it('a service whose secrets file becomes unreadable keeps its secrets', async () => {
  const url = await start({ LOG_LEVEL: 'error' });
  const before = await visit(url);
  const text = await readFile(secretsFile(), 'utf8');
  await writeFile(secretsFile(), '{}');
  await expect.poll(() => services[0]?.output()).toMatch(/secrets cannot be reloaded/);
  expect(await isAccepted(url, before.accessToken)).toBe(true);
  await writeFile(secretsFile(), text);
  expect((await refreshWith(url, before.cookie)).status).toBe(200);
}, 60_000);
