import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { post } from '../support/sign-in.ts';

let database: TestDatabase;
let dataDir: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'events-gateway-start-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** What `npm start` runs, until it is ready; `output` is all that it wrote so far. */
async function start(env: Record<string, string>) {
  const script = fileURLToPath(import.meta.resolve('../../src/server.ts'));
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let text = '';
  const output = () => text;
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      text += chunk.toString();
      if (text.includes('"ready on ')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${text}`)));
  });
  const url = /"ready on (http:[^"]+)"/.exec(text)?.[1] as string;
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  };
  return { url, output, stop };
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  'serves what it is given, names nobody, and ends with 0 on %s',
  async (signal) => {
    const service = await start({ DATABASE_URL: database.url, LOG_LEVEL: 'error' });
    expect(await (await fetch(`${service.url}/readyz`)).json()).toBe(true);
    expect(await service.stop(signal)).toEqual([0, null]);
    expect(service.output().match(/"ready on /g)).toHaveLength(1);
    expect(service.output()).not.toContain('demo.example');
    await expect(fetch(`${service.url}/readyz`)).rejects.toThrow();
  },
);

it('shows the accounts of the demo on a database of its own, and they work', async () => {
  const service = await start({});
  await expect.poll(service.output).toMatch(/Get an access token/);
  for (const [, email, password] of service.output().matchAll(/^ {2}\w+ +(\S+@demo\.example) +(\S+)$/gm)) {
    const answer = await post(`${service.url}/auth/login`, { email, password });
    expect([email, answer.status]).toEqual([email, 200]);
  }
  expect(service.output().match(/@demo\.example +\S+$/gm)).toHaveLength(3);
  expect(await service.stop('SIGTERM')).toEqual([0, null]);
  const production = start({ NODE_ENV: 'production' });
  await expect(production).rejects.toThrow(/ended with 1/);
});
