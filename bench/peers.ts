import { type ChildProcess, fork, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BenchData } from './database.ts';
import { optionWithout } from './devices.ts';
import { isCopy, type Peer } from './questions.ts';

/** A running server, and the headers that its clients send. */
export interface RunningPeer {
  url: string;
  pid: number;
  headers: Record<string, string>;
  /** Signs in again if the peer requires it: a token expires during a long run. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

/** The same for every start, so that one may use the cursors of another. */
const secrets = {
  cookie: randomBytes(32).toString('base64'),
  cursor: randomBytes(32).toString('base64'),
  encryption: randomBytes(32).toString('base64'),
  key: generateKeyPairSync('ed25519').privateKey,
};
/** The secret for sealing cursors of the gateway without requesting them. */
export const cursorSecret = secrets.cursor;
/** The key and the issuer for creating access tokens of the gateway without signing in. */
export const tokenKey = secrets.key;
export const publicUrl = 'http://127.0.0.1';
const root = path.join(import.meta.dirname, '..');
const servers = path.join(root, 'bench', 'servers');

export interface PeerOptions {
  /** A directory for a CPU profile of the gateway, written when it stops; empty for none. */
  profile?: string;
  /** Where the gateway's mails go; empty for files. */
  smtpUrl?: string;
  /** Further settings of the gateway. */
  env?: Record<string, string>;
}

/** Starts all of `peers`, or none. */
export async function startPeers(
  peers: readonly Peer[],
  data: BenchData,
  options: PeerOptions = {},
): Promise<Map<Peer, RunningPeer>> {
  const started = new Map<Peer, RunningPeer>();
  try {
    for (const peer of peers) started.set(peer, await startPeer(peer, data, options));
  } catch (error) {
    await stopPeers(started);
    throw error;
  }
  return started;
}

export async function stopPeers(running: ReadonlyMap<Peer, RunningPeer>): Promise<void> {
  await Promise.all([...running.values()].map((each) => each.stop()));
}

async function startPeer(peer: Peer, data: BenchData, options: PeerOptions): Promise<RunningPeer> {
  if (peer === 'gateway') return await startGateway(data, options);
  if (isCopy(peer))
    return await startGateway(data, { ...options, profile: '' }, optionWithout(peer.slice('without '.length)));
  // servers that use the benchmark's own packages are `.mjs`: they are not type-checked with the rest
  const own = peer === 'postgraphile' || peer === 'mercurius';
  return await startServer(`${peer}.${own ? 'mjs' : 'ts'}`, data);
}

/** Starts one of the benchmark's own servers. */
export async function startServer(file: string, data: BenchData): Promise<RunningPeer> {
  const env = { ...process.env, NODE_ENV: 'production', GRAPHILE_ENV: 'production' };
  const child = fork(path.join(servers, file), [JSON.stringify(data)], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { port: number }));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return running(child, `http://127.0.0.1:${port}`, async () => ({}));
}

/**
 * Starts the service as an operator would: in production, with all checks and limits on, writing its log (which is discarded).
 *
 * @param option an additional option of Node.js
 */
async function startGateway(
  { url, organization, account }: BenchData,
  { profile = '', smtpUrl = '', env: further = {} }: PeerOptions,
  option = '',
): Promise<RunningPeer> {
  const flags = profile ? `--cpu-prof --cpu-prof-dir=${path.resolve(profile)}` : '';
  const env = {
    ...process.env,
    // the Node.js of this process, as with npm's scripts
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
    NODE_OPTIONS: [process.env.NODE_OPTIONS ?? '', flags, option].join(' ').trim(),
    NODE_ENV: 'production',
    PUBLIC_URL: publicUrl,
    PORT: '0',
    DATABASE_URL: url,
    COOKIE_SECRET: secrets.cookie,
    CURSOR_SECRET: secrets.cursor,
    ENCRYPTION_KEY: secrets.encryption,
    ...(smtpUrl ? { SMTP_URL: smtpUrl } : {}),
    JWT_PRIVATE_KEY: secrets.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ...further,
  };
  const child = spawn('sh', ['-c', await startCommand()], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      const found = /ready on (http:[^"]+)"/.exec(chunk.toString())?.[1];
      if (found) resolve(found);
    });
  });
  return await running(child, ready, async () => ({
    authorization: `Bearer ${await signIn(ready, account)}`,
    'x-organization-id': organization,
  }));
}

export async function signIn(url: string, account: BenchData['account']): Promise<string> {
  const login = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  if (!login.ok) throw new Error(`The gateway refused the sign-in: ${await login.text()}`);
  const { access_token: token } = (await login.json()) as { access_token: string };
  return token;
}

async function running(
  child: ChildProcess,
  url: string,
  makeHeaders: () => Promise<Record<string, string>>,
): Promise<RunningPeer> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const peer: RunningPeer = {
    url,
    headers: {},
    pid: child.pid as number,
    renew: async () => {
      peer.headers = await makeHeaders();
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await ended;
    },
  };
  try {
    await peer.renew();
  } catch (error) {
    await peer.stop();
    throw error;
  }
  return peer;
}

/** What `npm start` runs. */
async function startCommand(): Promise<string> {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start;
}
