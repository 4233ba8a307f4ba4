import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EmbeddedServer } from '#embedded-postgres';
import { packRelease } from '../release/package.ts';
import { startPostgres } from './support/postgres.ts';
import { readyUrl } from './support/ready-url.ts';

// npm run test:package: packs the npm package of a release and installs it in an empty folder, where nothing but Node.js is. It starts
// on the embedded PostgreSQL as a stranger starts it; and without optional packages, with the settings of production, on a PostgreSQL of
// its own. Both APIs answer, and the commands run.

const root = path.join(import.meta.dirname, '..');
const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-package-'));
await chmod(dir, 0o755);
const archive = path.join(root, packRelease(root));
let folder = dir;

/** The program of the package, where only Node.js and the system's programs are found. */
const program = () => path.join(folder, 'node_modules', '.bin', 'events-gateway');
const systemPath = [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(
  ':',
);

/** Runs a command of the program, and gives back what it printed. */
function command(args: string[], env: Record<string, string> = {}): string {
  return execFileSync(program(), args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: { PATH: systemPath, ...env },
  });
}

async function install(name: string, ...options: string[]): Promise<void> {
  folder = path.join(dir, name);
  await mkdir(folder);
  const args = ['install', ...options, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', archive];
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit' });
}

/** New secrets, as an operator makes them. */
function newSecrets(): Record<string, string> {
  const lines = command(['keys', 'new']).trim().split('\n');
  return Object.fromEntries(lines.map((line) => /^(\w+)="?(.*?)"?$/.exec(line)?.slice(1) ?? []));
}

async function ask(url: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the assertions below say what each answer holds
  const answer: any = await response.json();
  return { status: response.status, answer, cookie: response.headers.get('set-cookie') };
}

/** The pages of GraphiQL and of the reference have all their files, and the documents are there. */
async function checkPages(url: string): Promise<void> {
  const page = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 200);
  await checkScripts(url, await page.text());
  const reference = await fetch(`${url}/reference`);
  assert.equal(reference.status, 200);
  await checkScripts(url, await reference.text());
  assert.equal((await fetch(`${url}/docs/guides/first-requests`)).status, 200);
}

async function checkScripts(url: string, page: string): Promise<void> {
  const scripts = [...page.matchAll(/<script defer src="([^"]+)"/g)].map(([, script = '']) => script);
  assert.ok(scripts.length > 0);
  for (const script of scripts) {
    const response = await fetch(`${url}/${script}`);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/javascript; charset=utf-8']);
    await response.body?.cancel();
  }
}

async function check(url: string, account: { email: string; password: string }): Promise<void> {
  const query = { query: '{ events(first: 1) { nodes { name } } }' };
  assert.equal((await ask(`${url}/readyz`)).status, 200);
  const { status, answer } = await ask(`${url}/events`);
  assert.deepEqual([status, answer.code], [401, 'INVALID_TOKEN']);
  const refused = await ask(`${url}/graphql`, query);
  assert.deepEqual([refused.status, refused.answer.errors[0].extensions.code], [401, 'INVALID_TOKEN']);
  assert.equal((await ask(`${url}/dev/mailbox`)).status, 404);
  const login = await ask(`${url}/auth/login`, account);
  assert.equal(login.status, 200);
  assert.match(login.cookie ?? '', /; Path=\/auth; HttpOnly; Secure; SameSite=Lax$/);
  const authorization = `Bearer ${login.answer.access_token}`;
  const profile = await ask(`${url}/auth/me`, undefined, { authorization });
  const headers = { authorization, 'x-organization-id': profile.answer.organizations[0].id };
  const page = await ask(`${url}/events?limit=1`, undefined, headers);
  const connection = await ask(`${url}/graphql`, query, headers);
  assert.deepEqual([page.status, connection.status], [200, 200]);
  assert.equal(page.answer.items[0].name, connection.answer.data.events.nodes[0].name);
}

let database: EmbeddedServer | undefined;
let child: ChildProcess | undefined;

/** Starts the program, runs `use`, and stops it. */
async function whileRunning(env: Record<string, string>, use: (url: string) => Promise<void>): Promise<void> {
  const options = { cwd: folder, env: { PATH: systemPath, ...env } };
  child = spawn(program(), { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  await use(await readyUrl(child));
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
}

try {
  await install('laptop');
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  assert.equal(command(['--version']).trim(), version);
  await whileRunning({ PORT: '0', HOST: '127.0.0.1' }, async (url) => {
    assert.deepEqual((await ask(`${url}/healthz`)).answer, { alive: true, version });
    const login = await ask(`${url}/auth/login`, { email: 'owner@demo.example', password: 'demo-events-2468' });
    assert.equal(login.status, 200);
    await checkPages(url);
    // beside the running service
    assert.match(command(['export']), /"slug":"/);
  });

  await install('production', '--omit=optional');
  for (const name of ['react', 'monaco-editor', 'vue', 'esbuild', 'embedded-postgres', 'typescript']) {
    assert.equal(existsSync(path.join(folder, 'node_modules', name)), false, name);
  }
  const size = execFileSync('du', ['-sm', path.join(folder, 'node_modules')], { encoding: 'utf8' });
  assert.ok(Number.parseInt(size, 10) <= 120, `node_modules has more than 120 MB: ${size}`);
  database = await startPostgres({ dataDir: path.join(dir, 'database'), serverSettings: { fsync: 'off' } });
  const env = {
    NODE_ENV: 'production',
    PORT: '0',
    GRAPHIQL: 'on',
    PUBLIC_URL: 'https://events.example.org',
    DATABASE_URL: database.url,
    DATA_DIR: path.join(dir, 'data'),
    ...newSecrets(),
  };
  assert.match(command(['migrate'], env), /^Migrated: /);
  const [, email = '', password = ''] = /owner +(\S+) +(\S+)/.exec(command(['demo', '--force'], env)) ?? [];
  assert.match(command(['admin', 'users', 'show', email], env), /owner@/);
  await whileRunning(env, async (url) => {
    await check(url, { email, password });
    await checkPages(url);
  });
  console.log('The package starts in an empty folder, and answers in both APIs, with optional packages and without.');
} finally {
  child?.kill('SIGKILL');
  await database?.stop();
  await rm(dir, { recursive: true, force: true });
}
