import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { preview } from 'vite';
import { beforeAll, expect } from 'vitest';
import { User } from '../../src/domain/user/user.entity.ts';
import { startStrictBrowser } from './browser.ts';
import { insertEvent, insertMember, insertMembership, insertOrganization, password } from './fixtures.ts';
import { childEnv } from './programs.ts';
import { send } from './send.ts';
import { join, startTestServer, type TestServer } from './server.ts';

export const pageExamples = ['urql', 'apollo', 'relay'] as const;
export type PageExample = (typeof pageExamples)[number];

const examples = path.join(import.meta.dirname, '..', '..', 'examples');
/** The service as a page of the same machine reaches it: the cookie belongs to `localhost`. */
export const localhost = (url: string) => url.replace('127.0.0.1', 'localhost');

/** Builds an example as its command does, and serves it. */
async function serveExample(name: PageExample, serviceUrl: string) {
  const root = path.join(examples, name);
  const outDir = await mkdtemp(path.join(tmpdir(), `events-gateway-${name}-`));
  const command = ['run', 'build', '-w', `examples/${name}`, '--', '--outDir', outDir, '--emptyOutDir'];
  const env = { ...childEnv, VITE_SERVICE_URL: localhost(serviceUrl) };
  await promisify(execFile)('npm', command, { cwd: path.join(examples, '..'), env });
  const server = await preview({ root, logLevel: 'warn', build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
  return {
    url: localhost(server.resolvedUrls?.local[0] ?? ''),
    close: async () => {
      await server.close();
      await rm(outDir, { recursive: true });
    },
  };
}

const day = 24 * 3_600_000;

type EventWorld = Awaited<ReturnType<typeof createEventWorld>>;

/** An organization with an owner, who has an event for each of 25 days before now and after it, and with a member. */
export async function createEventWorld(server: TestServer) {
  const { id: organizationId } = await insertOrganization(server.orm, { name: 'Harbour' });
  const owner = await join(server, organizationId, 'owner');
  const { email } = await insertMember(server.orm, { organizationId, name: 'Mia' });
  /** Creates an active event that is so many days away. @returns its id */
  const createEvent = async (name: string, days: number, fields: Record<string, unknown> = {}) => {
    const start = Date.now() + days * day;
    const dates = {
      date_start: new Date(start).toISOString(),
      date_end: new Date(start + 3_600_000).toISOString(),
    };
    const { body } = await send<{ id: string }>(server, owner, 'POST /events', {
      name,
      status: 1,
      ...dates,
      ...fields,
    });
    return body.id;
  };
  const numbers = Array.from({ length: 25 }, (_, index) => index + 1);
  await Promise.all(
    numbers.flatMap((number) => [createEvent(`Past ${number}`, -number), createEvent(`Coming ${number}`, number)]),
  );
  return { owner, email, organizationId, createEvent };
}

/** The names of events after now. */
export const coming = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `Coming ${from + index}`);

/** Makes somebody a member of a second organization, with one event. @returns the name of the event */
export async function joinSecond(server: TestServer, email: string): Promise<string> {
  const { id: organizationId } = await insertOrganization(server.orm, { name: 'Second' });
  const { id: userId } = await server.orm.em.fork().findOneOrFail(User, { email });
  await insertMembership(server.orm, { organizationId, userId });
  const times = { dateStart: new Date(Date.now() + day), dateEnd: new Date(Date.now() + 2 * day) };
  await insertEvent(server.orm, { organizationId, name: 'Elsewhere', ...times });
  return 'Elsewhere';
}

/** Opens a page, and notes its errors and warnings in the console. */
export async function openExample(browser: Browser, url: string) {
  // a context of its own: it has no cookie
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(url);
  return { page, complaints };
}

export async function signInOnPage(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Signed in as Mia').waitFor();
  await page.getByRole('listitem').first().waitFor();
}

/** The names in the list, in its order. */
export const namesOn = (page: Page) => page.getByRole('heading', { level: 2 }).allTextContents();
/** The item of an event. */
export const itemOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

interface Opened {
  server: TestServer;
  world: EventWorld;
  page: Page;
  url: string;
}

/**
 * One of the three pages, in a browser and against a service of its own; somebody is signed in.
 *
 * @param lead makes the way from the page to the service
 */
export function openedPage(
  name: PageExample,
  lead = async (serviceUrl: string): Promise<{ url: string; close?(): Promise<void> }> => ({ url: serviceUrl }),
) {
  const at = {} as Opened;
  beforeAll(async () => {
    const server = await startTestServer();
    const way = await lead(server.url);
    const [site, world] = await Promise.all([serveExample(name, way.url), createEventWorld(server)]);
    // its own: the streams of another one would take up the connections
    const browser = await startStrictBrowser();
    const { page } = await openExample(browser, site.url);
    Object.assign(at, { server, world, page, url: site.url });
    await signInOnPage(page, world.email);
    return async () => {
      await browser.close();
      await site.close();
      await way.close?.();
      await server.close();
    };
  });
  /** What somebody else does. */
  const ask = async (request: string, body?: unknown) => {
    const answer = await send<{ id: string }>(at.server, at.world.owner, request, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  };
  const button = (event: string, label: string) => itemOf(at.page, event).getByRole('button', { name: label });
  const says = (event: string, text: string) => itemOf(at.page, event).getByText(text).waitFor();

  /** Holds the next write of the page back, until the test lets it go. */
  async function holdWrite(mutation: string) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await at.page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes(mutation)) await released;
      await route.continue();
    });
    return async () => {
      const answered = at.page.waitForResponse((answer) => !!answer.request().postData()?.includes(mutation));
      release();
      // to stop intercepting while the request is on its way may leave its preflight without an answer
      await answered;
      await at.page.unrouteAll({ behavior: 'wait' });
    };
  }

  /** Lets only the events be listed whose name contains this. */
  async function show(name: string, options: { status?: string; attending?: boolean } = {}) {
    await at.page.getByLabel('Name contains').fill(name);
    await at.page.getByLabel('Status').selectOption(options.status ?? '');
    await at.page.getByLabel('Events that I attend').setChecked(options.attending ?? false);
    await at.page.getByRole('button', { name: 'Show' }).click();
  }

  return { at, ask, button, says, holdWrite, show };
}

export type OpenedPage = ReturnType<typeof openedPage>;
