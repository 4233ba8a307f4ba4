import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import { decodeJwt } from 'jose';
import pino from 'pino';
import { expect } from 'vitest';
import type { DemoSignIn } from '#explorer';
import { hashCost } from '#passwords';
import type { Secrets } from '../../src/config/secrets.ts';
import { readSettings } from '../../src/config/settings.ts';
import { serviceConnections } from '../../src/db/options.ts';
import { createOrm } from '../../src/db/orm.ts';
import type { ApiKeyRow } from '../../src/domain/api-key/api-key.resource.ts';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';
import { startService } from '../../src/main/service.ts';
import { createTestDatabase, executeOn } from './database.ts';
import { watchAnswers } from './declared-answers.ts';
import { insertMember, insertOrganization, insertUser, password, type UserInput } from './fixtures.ts';
import { compareLanes, expectNoDifference } from './lanes.ts';
import { type Answer, type Caller, send } from './send.ts';
import { inTest, shared } from './shared.ts';
import { expectNothingFound, failTestsOn } from './verdicts.ts';

/** Secrets of no use to anybody else, made anew for each call. */
export function testSecrets(): Secrets {
  const secret = () => randomBytes(32).toString('base64url');
  return {
    cookieSecrets: [secret()],
    cursorSecrets: [secret()],
    encryptionKeys: [secret()],
    privateKeys: [generateKeyPairSync('ed25519').privateKey],
  };
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

export interface TestServerOptions {
  /** Environment variables, in addition to those of a test. */
  env?: Record<string, string>;
  secrets?: Secrets;
  /** A database to share with another test server; without one it gets its own. */
  databaseUrl?: string;
  /** Accounts that GraphiQL offers. */
  demoAccounts?: DemoSignIn[];
  /** Whether passwords cost what they cost in production: for tests that are about hashing, or about time. */
  fullHashCost?: boolean;
}

/** What a password costs in production, and where nothing depends on it: a ninth of the time. */
const fullHashCost = { ...hashCost };
const lowHashCost = { memory: 4_864, passes: 1, parallelism: 1 };

/** Tests whose queries are executed in each way: the answers of the other tests say no more of that. */
const isTestOfGraphql = (path: string) => /[\\/]test[\\/](graphql|parity)[\\/]/.test(path);

/**
 * Serves the whole service on a free port and a real database. An answer that `openapi.json` does not declare, and a
 * compiled operation that fails, fail the test in which they happen.
 */
export async function startTestServer(options: TestServerOptions = {}) {
  Object.assign(hashCost, options.fullHashCost ? fullHashCost : lowHashCost);
  compareLanes(isTestOfGraphql(expect.getState().testPath ?? ''));
  const secrets = options.secrets ?? testSecrets();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'events-gateway-server-'));
  const settings = readSettings({
    NODE_ENV: 'test',
    PORT: '0',
    // a name that does not depend on the port: two servers then accept each other's tokens, as replicas do
    PUBLIC_URL: 'http://events.test',
    // the tests of the limits turn them on
    RATE_LIMIT: 'off',
    DATA_DIR: dataDir,
    ...options.env,
  });
  const connections = serviceConnections(settings.bounds);
  const database = options.databaseUrl === undefined ? await createTestDatabase(connections) : null;
  /** Of the database, for another server on it. */
  const databaseUrl = database?.url ?? (options.databaseUrl as string);
  const orm = database?.orm ?? (await createOrm({ url: databaseUrl, ...connections }));
  /** What the service logged, a JSON line each. */
  const logLines: string[] = [];
  const log = pino({ level: settings.logLevel }, { write: (line: string) => void logLines.push(line) });
  const service = await startService(orm, settings, secrets, log, options.demoAccounts);
  const ignoreAnswers = watchAnswers(service.url);
  const compiledFailures = watchCompiledFailures(logLines);
  return {
    url: service.url,
    /** If METRICS_PORT is set. */
    metricsUrl: `http://127.0.0.1:${service.metricsPort}/metrics`,
    orm,
    execute: executeOn(orm),
    services: service.services,
    secrets,
    databaseUrl,
    logLines,
    mailDir: settings.mail.dir,
    /** Log lines of compiled operations that failed since the last call; what no test takes fails it. */
    takeCompiledFailures: compiledFailures.take,
    /** Serves on for some milliseconds as a service does that was told to stop. */
    drain: service.drain,
    close: async () => {
      Object.assign(hashCost, fullHashCost);
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
      if (database) await database.drop();
      else await orm.close(true);
      ignoreAnswers();
      expectNothingFound();
      compiledFailures.end();
      expectNoDifference();
    },
  };
}

/** {@link startTestServer} for all tests of a file. */
export const serve = (options?: TestServerOptions): Promise<TestServer> => shared(startTestServer(options));

/** {@link startTestServer} for the test that runs. */
export const serveInTest = (options?: TestServerOptions): Promise<TestServer> => inTest(startTestServer(options));

/**
 * From now on a failure of a compiled operation fails the test in which it happens, unless the test takes its line from
 * the log.
 */
function watchCompiledFailures(log: string[]): { take(): string[]; end(): void } {
  let seen = log.length;
  const take = () => {
    const added = log.slice(seen);
    seen = log.length;
    return added.filter((line) => line.includes('"msg":"a compiled operation failed"'));
  };
  return { take, end: failTestsOn(take) };
}

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
  const cookies = headers.getSetCookie();
  expect(cookies).toHaveLength(1);
  const cookie = String(cookies[0]?.split(';')[0]);
  return { accessToken, refreshToken, sessionId: String(decodeJwt(accessToken).sid), cookie };
}

/** Whether an access token is accepted. */
export async function isAccepted(url: string, accessToken: string): Promise<boolean> {
  const { status } = await send({ url }, { accessToken }, 'GET /auth/me');
  expect([200, 401]).toContain(status);
  return status === 200;
}

/** A signed-in member of an organization. */
export interface Person extends SignIn {
  userId: string;
  email: string;
  organizationId: string;
  membershipId: string;
}

/** Adds a person to an organization and signs in. */
export async function join(server: TestServer, organizationId: string, role: OrganizationRole): Promise<Person> {
  const { id, email } = await insertMember(server.orm, { organizationId, role, name: `A ${role}` });
  const membership = await server.orm.em
    .fork()
    .findOneOrFail(Membership, { organization_id: organizationId, user_id: id });
  return { ...(await signIn(server.url, email)), userId: id, email, organizationId, membershipId: membership.id };
}

/** An organization with one person of each role. */
export type Team = Record<OrganizationRole, Person> & { organizationId: string };

export async function createTeam(server: TestServer): Promise<Team> {
  const { id } = await insertOrganization(server.orm);
  return {
    organizationId: id,
    owner: await join(server, id, 'owner'),
    manager: await join(server, id, 'manager'),
    member: await join(server, id, 'member'),
  };
}

/** What most files use: a service with a team, until the last test of the file. */
export async function serveTeam(options?: TestServerOptions) {
  const server = await serve(options);
  return { server, team: await createTeam(server) };
}

/** A key as its creation shows it. */
export type MadeKey = ApiKeyRow & Required<Caller> & { secret: string };

/** Creates a key, which can then be the caller of requests. */
export async function createKey(
  server: { url: string },
  owner: Required<Pick<Caller, 'organizationId'>> & Caller,
  input: Partial<Pick<ApiKeyRow, 'name' | 'role' | 'access' | 'webhooks' | 'expires_at'>> = {},
): Promise<MadeKey> {
  const body = { name: 'A machine', role: 'manager', access: 'write', ...input };
  const answer = await send<MadeKey>(server, owner, 'POST /api-keys', body);
  expect(answer.status, answer.text).toBe(201);
  return { ...answer.body, accessToken: answer.body.secret, organizationId: owner.organizationId };
}
