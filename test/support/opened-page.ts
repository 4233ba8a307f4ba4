import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { startStrictBrowser } from './browser.ts';
import {
  createEventWorld,
  type EventWorld,
  itemOf,
  openExample,
  type PageExample,
  serveExample,
  signInOnPage,
} from './example-page.ts';
import { send } from './send.ts';
import { startTestServer, type TestServer } from './server.ts';

interface Opened {
  server: TestServer;
  world: EventWorld;
  page: Page;
  url: string;
}

/** One of the three pages, in a browser and against a service of its own; somebody is signed in. */
export function openedPage(name: PageExample) {
  const at = {} as Opened;
  beforeAll(async () => {
    const server = await startTestServer();
    const [site, world] = await Promise.all([serveExample(name, server.url), createEventWorld(server)]);
    // its own: the streams of another one would take up the connections
    const browser = await startStrictBrowser();
    const { page } = await openExample(browser, site.url);
    Object.assign(at, { server, world, page, url: site.url });
    await signInOnPage(page, world.email);
    return async () => {
      await browser.close();
      await site.close();
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
