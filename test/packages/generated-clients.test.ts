import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { printedOpenapi } from '../../src/commands/printed-openapi.ts';
import { compile } from '../support/compile.ts';

/** What a client does without a cast: each line that must not compile says so. */
const use = `
export async function use(): Promise<string[]> {
  const event = await createEvent({ name: 'Soap', date_start: '2031-05-04T10:00:00Z', date_end: '2031-05-04T12:00:00Z', status: 1 });
  const id: string = event.id;
  const status: 0 | 1 | 2 | 3 = event.status;
  const page = await changes();
  const next: string = page.next;
  const op: 'created' | 'changed' | 'deleted' | 'hidden' | 'refetch' | undefined = page.items[0]?.op;
  await refresh();
  // @ts-expect-error there is no such status
  const none: 4 = event.status;
  // @ts-expect-error the body has no such field
  const body: CreateEvent = { nam: 'Soap' };
  return [id, String(status), next, op ?? '', String(none), body.name];
}

export function code(problem: EventFullProblem): 'EVENT_FULL' {
  return problem.code;
}

export function received(message: EventMessage | PingMessage): string | null {
  if (message.type === 'ping') return null;
  const { kind, organization_id: organization, object_id: object } = message.data;
  const event: 'event' = kind;
  return event + organization + object;
}
`;

/** What each generator of clients is called with, and a program that imports the module that it makes. */
const generators: Record<string, [(file: string, folder: string) => string[], string]> = {
  'openapi-typescript': [
    (file, folder) => [file, '--output', path.join(folder, 'api.ts')],
    `
import createClient from 'openapi-fetch';
import type { components, paths } from './api';

type Schemas = components['schemas'];
type CreateEvent = Schemas['CreateEvent'];
type EventFullProblem = Schemas['EventFullProblem'];
type EventMessage = Schemas['EventMessage'];
type PingMessage = Schemas['PingMessage'];

const client = createClient<paths>({ baseUrl: 'https://events.example' });

async function createEvent(body: CreateEvent) {
  const { data, error } = await client.POST('/events', { body });
  if (error) throw new Error(error.code);
  return data;
}

async function changes() {
  const { data, error } = await client.GET('/changes', { params: { query: { since: 'now' } } });
  if (error) throw new Error(error.errors?.[0]?.pointer);
  return data;
}

const refresh = () => client.POST('/auth/refresh');
${use}`,
  ],
  'openapi-ts': [
    (file, folder) => ['--input', file, '--output', path.join(folder, 'api')],
    `
import * as api from './api';
import type { CreateEvent, EventFullProblem, EventMessage, PingMessage } from './api';

async function createEvent(body: CreateEvent) {
  const { data } = await api.createEvent({ body, throwOnError: true });
  return data;
}

async function changes() {
  const { data } = await api.listChanges({ query: { since: 'now' }, throwOnError: true });
  return data;
}

const refresh = () => api.refresh();
${use}`,
  ],
};

it.each(Object.entries(generators))(
  '%s makes a client with which a program creates an event and reads changes without a cast',
  async (name, [argsOf, program]) => {
    const installed = path.join(import.meta.dirname, '../../packages/client/node_modules');
    const generate = async (folder: string) => {
      const file = path.join(folder, 'openapi.json');
      await writeFile(file, printedOpenapi());
      const args = [path.join(installed, '.bin', name), ...argsOf(file, folder)];
      await promisify(execFile)(process.execPath, args, { cwd: folder });
    };
    const options = { module: 'esnext', moduleResolution: 'bundler' };
    expect(await compile({ 'program.ts': program }, options, 'packages/client/node_modules', generate)).toBe('');
  },
  120_000,
);
