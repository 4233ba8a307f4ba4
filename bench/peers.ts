import { type ChildProcess, fork, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import path from 'node:path';
import type { BenchData } from './database.ts';
import type { Peer } from './questions.ts';

/** A server that runs, and the headers that a client of it sends. */
export interface RunningPeer {
  url: string;
  pid: number;
  headers: Record<string, string>;
  stop(): void;
}

/** The same for every start, so that one may use the cursors of another. */
const secrets = {
  cookie: randomBytes(32).toString('base64'),
  cursor: randomBytes(32).toString('base64'),
  key: generateKeyPairSync('ed25519').privateKey,
};
const servers = path.join(import.meta.dirname, 'servers');

export async function startPeer(peer: Peer, data: BenchData): Promise<RunningPeer> {
  if (peer === 'gateway') return await startGateway(data);
  const { url, organization, event, deep, range } = data;
  const args = {
    limit: [url, organization, event, deep.time, deep.id, range.from, range.to],
    naive: [url, organization, event, String(deep.offset), range.from, range.to],
    postgraphile: [url],
  }[peer];
  const file = path.join(servers, peer === 'postgraphile' ? 'postgraphile.mjs' : `${peer}.ts`);
  const env = { ...process.env, NODE_ENV: 'production', GRAPHILE_ENV: 'production' };
  const child = fork(file, args, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { port: number }));
    child.once('exit', (code) => reject(new Error(`${peer} ended with ${code}`)));
  });
  return running(child, `http://127.0.0.1:${port}`, {});
}

/** As an operator starts it: in production, every rule on, logs written (and thrown away). */
async function startGateway({ url, organization, account }: BenchData): Promise<RunningPeer> {
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: '0',
    DATABASE_URL: url,
    COOKIE_SECRET: secrets.cookie,
    CURSOR_SECRET: secrets.cursor,
    JWT_PRIVATE_KEY: secrets.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  const entry = path.join(import.meta.dirname, '..', 'src', 'server.ts');
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      const found = /ready on (http:[^"]+)"/.exec(chunk.toString())?.[1];
      if (found) resolve(found);
    });
  });
  const login = await fetch(`${ready}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  return running(child, ready, { authorization: `Bearer ${token}`, 'x-organization-id': organization });
}

function running(child: ChildProcess, url: string, headers: Record<string, string>): RunningPeer {
  return { url, headers, pid: child.pid as number, stop: () => void child.kill() };
}
