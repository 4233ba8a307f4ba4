import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { createTestDatabase } from './database.ts';
import { childEnv } from './programs.ts';
import { readyUrl } from './ready-url.ts';
import { shared, sharedFolder } from './shared.ts';

/** What `npm start` runs, in a process of its own. */
export type StartedService = Awaited<ReturnType<typeof startService>>;

/**
 * Starts the service as an operator does, and waits until it is ready.
 *
 * @param env all of its environment but PATH; a free port unless it says otherwise
 * @param onSpawn gets what ends the process, whatever becomes of the start
 * @throws Error with what it wrote, if it ends before it is ready
 */
export async function startService(env: Record<string, string>, onSpawn: (kill: () => void) => void) {
  const script = fileURLToPath(import.meta.resolve('../../src/main/server.ts'));
  const child = spawn(process.execPath, [script], {
    env: { ...childEnv, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onSpawn(() => void child.kill('SIGKILL'));
  let text = '';
  const url = await readyUrl(child, (piece) => {
    text += piece;
  });
  return {
    url,
    /** All that it wrote so far. */
    output: () => text,
    pid: child.pid as number,
    /** Where the log arrives. */
    log: child.stdout,
    stop: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      return (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    },
  };
}

/** How a start failed: the exit code, and the last line of the log. */
export async function failureOf(start: Promise<StartedService>) {
  const message = await start.then(
    () => 'it is ready',
    (error: Error) => error.message,
  );
  const [, code = '', output = ''] = /^the service ended with (\d+): ([\s\S]*)$/.exec(message) ?? [];
  const { msg } = JSON.parse(output.trim().split('\n').at(-1) || '{}') as { msg?: string };
  return { code: Number(code), last: msg ?? message, output };
}

/** Makes a database and a data directory for a file of tests. After each test, the services that still run are killed. */
export async function prepareStarts() {
  /** For all services, which use it only if told to. */
  const { url: databaseUrl } = await shared(createTestDatabase());
  const dataDir = await sharedFolder();
  const running: (() => void)[] = [];
  afterEach(() => {
    for (const kill of running.splice(0)) kill();
  });
  /** Calls `kill` after the test. */
  const killLater = (kill: () => void) => void running.push(kill);
  return {
    databaseUrl,
    dataDir,
    /** Starts a service with this data directory, unless `env` names another. */
    start: (env: Record<string, string>) => startService({ DATA_DIR: dataDir, ...env }, killLater),
    killLater,
  };
}

/** Settings with secrets of no use to anybody else, as replicas share them in production. */
export function secretSettings() {
  const secret = () => randomBytes(32).toString('base64url');
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    ...{ COOKIE_SECRET: secret(), CURSOR_SECRET: secret(), ENCRYPTION_KEY: secret() },
    JWT_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
