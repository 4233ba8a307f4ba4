import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { type Client, createClient } from '../../../packages/client/src/index.ts';
import { signIn } from '../server.ts';
import { type Actor, credentials, type Step } from './story.ts';

/** Sends the requests of the story by one of the samples. */
export interface Driver {
  /** The label of the samples that it runs. */
  label: string;
  signIn(actor: keyof typeof credentials): Promise<void>;
  /** Runs a sample. @returns what it gets of the answer */
  run(source: string, step: Step): Promise<unknown>;
  close(): Promise<void>;
}

/** Runs lines of curl in one shell, with the token of the actor: to start one for each takes a tenth of a second. */
export async function curlDriver(url: string): Promise<Driver> {
  const cwd = await mkdtemp(path.join(tmpdir(), 'events-gateway-curl-'));
  const shell = spawn('bash', { cwd, env: { PATH: process.env.PATH }, stdio: ['pipe', 'pipe', 'inherit'] });
  shell.stdout.setEncoding('utf8');
  const tokens: Partial<Record<Actor, string>> = {};
  return {
    label: 'curl',
    async signIn(actor) {
      const { email, password } = credentials[actor];
      tokens[actor] = (await signIn(url, email, password)).accessToken;
    },
    async run(source, { as, operation }) {
      const line = source.replace(/^curl /, "curl -s -w '\\n%{http_code}<end>' ");
      shell.stdin.write(`TOKEN='${tokens[as] ?? ''}'\n${line}\n`);
      let said = '';
      for await (const piece of shell.stdout.iterator({ destroyOnReturn: false })) {
        said += piece;
        if (said.endsWith('<end>')) break;
      }
      const [, text = '', status] = /^([\s\S]*)\n(\d+)<end>$/.exec(said) ?? [];
      expect([operation, status, text]).toEqual([operation, expect.stringMatching(/^20[01]$/), text]);
      const answer = readAnswer(text);
      if (operation === 'login') tokens[as] = (answer as { access_token: string }).access_token;
      return answer;
    },
    close: async () => {
      shell.stdin.end();
      await rm(cwd, { recursive: true });
    },
  };
}

function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Sample = (client: Client, console: { log(value: unknown): void }) => Promise<void>;
const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Sample;

/** Runs calls of the client package, and gets what they log. */
export async function clientDriver(url: string): Promise<Driver> {
  const clients = new Map<Actor, Client>();
  const clientOf = (actor: Actor): Client => {
    const client = clients.get(actor) ?? createClient({ url });
    clients.set(actor, client);
    return client;
  };
  return {
    label: 'events-gateway-client',
    signIn: (actor) => clientOf(actor).signIn(credentials[actor]),
    async run(source, { as, headers = {}, operation }) {
      const client = clientOf(as);
      client.switchOrganization(headers['x-organization-id'] as string);
      const logged: unknown[] = [];
      await new AsyncFunction('client', 'console', source)(client, { log: (value) => void logged.push(value) });
      if (operation === 'login' || operation === 'logout') expect(client.signedIn).toBe(operation === 'login');
      return source.startsWith('for await') ? { items: logged } : logged[0];
    },
    close: async () => {},
  };
}
