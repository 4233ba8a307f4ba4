import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';

/** The proxies that the service is tried behind, with their configurations under `ops/proxies`. */
export const proxyPrograms = [
  {
    name: 'nginx',
    program: 'nginx',
    configuration: 'nginx.conf',
    arguments: (file: string) => ['-c', file, '-g', 'daemon off;'],
  },
  {
    name: 'HAProxy',
    program: 'haproxy',
    configuration: 'haproxy.cfg',
    arguments: (file: string) => ['-f', file, '-db'],
  },
];

/** Starts one before two replicas, with no change to its configuration but the ports and the places of files. */
export async function startProxy(program: (typeof proxyPrograms)[number], replicaPorts: readonly [number, number]) {
  const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-proxy-'));
  const port = await freePort();
  const log = path.join(dir, 'access.log');
  const source = fileURLToPath(import.meta.resolve(`../../ops/proxies/${program.configuration}`));
  const configuration = (await readFile(source, 'utf8'))
    .replace('127.0.0.1:3001', `127.0.0.1:${replicaPorts[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${replicaPorts[1]}`)
    .replace(/(bind :|listen )8080/, `$1${port}`)
    .replace('/run/nginx.pid', path.join(dir, 'nginx.pid'))
    .replace('/var/log/nginx/access.log', log);
  const file = path.join(dir, program.configuration);
  await writeFile(file, configuration);
  const child: ChildProcess = spawn(findProgram(program.program) as string, program.arguments(file), {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk.toString();
    });
  }
  const url = `http://127.0.0.1:${port}`;
  const end = performance.now() + 20_000;
  while (
    !(await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() > end)
      throw new Error(`${program.name} does not serve: ${output}`);
    await sleep(50);
  }
  return {
    url,
    /** What it wrote, to its log as well. */
    output: () => output + (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
