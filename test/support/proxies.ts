import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from './programs.ts';
import { startProgram } from './started-program.ts';

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

/** A file under `ops/proxies`. */
export const configurationOf = (name: string) =>
  readFileSync(new URL(`../../ops/proxies/${name}`, import.meta.url), 'utf8');

/** Starts one before two replicas, with no change to its configuration but the ports and the places of files. */
export async function startProxy(proxy: (typeof proxyPrograms)[number], replicaPorts: readonly [number, number]) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { dir, output, stop } = await startProgram(proxy.program, {
    configuration: (dir) =>
      configurationOf(proxy.configuration)
        .replace('127.0.0.1:3001', `127.0.0.1:${replicaPorts[0]}`)
        .replace('127.0.0.1:3002', `127.0.0.1:${replicaPorts[1]}`)
        .replace(/(bind :|listen )8080/, `$1${port}`)
        .replace('/run/nginx.pid', path.join(dir, 'nginx.pid'))
        .replace('/var/log/nginx/access.log', path.join(dir, 'access.log')),
    arguments: proxy.arguments,
    isReady: async () => (await fetch(`${url}/healthz`)).ok,
  });
  const log = path.join(dir, 'access.log');
  /** What it wrote, to its log as well. */
  return { url, output: () => output() + (existsSync(log) ? readFileSync(log, 'utf8') : ''), stop };
}
