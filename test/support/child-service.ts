import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { childEnv } from './programs.ts';
import { shared } from './shared.ts';

export type ChildService = Awaited<ReturnType<typeof startChildService>>;

/**
 * A setting for tests that take long to make their next request: on a connection that the service closes at that moment, it
 * would fail.
 */
const longIdle = { KEEP_ALIVE_SECONDS: '300' };

/**
 * Starts a service in a process of its own on a database, with the settings of a test and those given; the same secrets make it a replica.
 * Without a folder it gets one of its own.
 *
 * @param args of serve.ts
 * @param nodeArgs of Node.js
 */
export async function startChildService(env: Record<string, string>, args: string[] = [], nodeArgs: string[] = []) {
  return await start([...nodeArgs, fileURLToPath(import.meta.resolve('./serve.ts')), ...args], env);
}

/** One whose memory can be measured. */
export async function startMeasuredService(env: Record<string, string>) {
  /** What is in use on the heap and beside it, after collecting garbage. */
  const { measure: usedBytes, ...service } = await startMeasuring(import.meta.resolve('./serve-measured.ts'), env, [
    '--expose-gc',
  ]);
  return { ...service, usedBytes };
}

/** One that says how long its thread was busy, without limits, for all tests of a file. */
export async function startWatchedService({ databaseUrl }: { databaseUrl: string }) {
  const env = { DATABASE_URL: databaseUrl, RATE_LIMIT: 'off', ...longIdle };
  const starting = startMeasuring(import.meta.resolve('./serve-watched.ts'), env);
  /** The longest time that its thread was busy without a break since the last call, in milliseconds. */
  const { measure: longestTurn, ...service } = await shared(starting);
  /** Milliseconds of its processor time until it has answered on a new connection: what it lets others wait for. */
  const answersAfter = async () => {
    const begun = service.threadTime();
    await new Promise((resolve, reject) => {
      request(`${service.url}/healthz`, { agent: false }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end();
    });
    return service.threadTime() - begun;
  };
  /** What it lets others wait for at most while something goes on. */
  const longestWait = async (meanwhile: Promise<unknown>) => {
    let goesOn = true;
    const done = meanwhile.finally(() => {
      goesOn = false;
    });
    let longest = 0;
    while (goesOn) longest = Math.max(longest, await answersAfter());
    await done;
    return longest;
  };
  return { ...service, longestTurn, longestWait };
}

/** The best of up to eight rounds: what a collection of garbage, a compiler or a busy machine adds is not always there. */
export async function bestOf(enough: number, measure: (round: number) => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 8 && best >= enough; round += 1) best = Math.min(best, await measure(round));
  return best;
}

/** One that answers its parent with a number. */
async function startMeasuring(script: string, env: Record<string, string>, nodeArgs: string[] = []) {
  const service = await start([...nodeArgs, fileURLToPath(script)], env);
  const measure = async () => {
    service.child.send('measure');
    return ((await once(service.child, 'message')) as [number])[0];
  };
  return { ...service, measure };
}

async function start(args: string[], env: Record<string, string>) {
  const ownDir = env.DATA_DIR ? null : mkdtempSync(path.join(tmpdir(), 'events-gateway-child-'));
  const settings = {
    NODE_ENV: 'test',
    PORT: '0',
    PUBLIC_URL: 'http://events.test',
    ...(ownDir && { DATA_DIR: ownDir }),
  };
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...childEnv, ...settings, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const exited = once(child, 'exit');
  const [url] = (await Promise.race([
    once(lines, 'line'),
    exited.then(([code]) => Promise.reject(new Error(`the service ended with ${code}`))),
  ])) as [string];
  return {
    child,
    url,
    /** What the process has in memory now, in bytes. */
    residentBytes: () =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) * 1024,
    /** The processor time that its thread has used, in milliseconds, whatever else the machine does. */
    threadTime: () =>
      Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    /** Ends the process as a power cut would, and waits until it is gone. */
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
      if (ownDir) rmSync(ownDir, { recursive: true, force: true });
    },
  };
}
