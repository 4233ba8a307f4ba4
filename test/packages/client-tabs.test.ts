import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type * as eventsGatewayPackage from '../../packages/client/src/index.ts';
import { sharedBrowser } from '../support/browser.ts';
import { bundleClient } from '../support/compile.ts';
import { insertMember, insertOrganization, password } from '../support/fixtures.ts';
import { serve } from '../support/server.ts';

const email = 'tabs@client.example';
const server = await serve();
const browser = await sharedBrowser();
const { id: organization } = await insertOrganization(server.orm, { name: 'Tabs' });
await insertMember(server.orm, { organizationId: organization, role: 'owner', email });
const script = await bundleClient('iife');

declare const eventsGateway: typeof eventsGatewayPackage;
/** What the page keeps of the client. */
declare const kept: { client: eventsGatewayPackage.Client; stale: { is: boolean } };

/** A page of the service's own site with the client in it, whose token the test can spoil. */
async function openTab(open: () => Promise<Page>): Promise<Page> {
  const page = await open();
  await page.goto(`${server.url}/errors`);
  await page.addScriptTag({ content: script });
  await page.evaluate((id) => {
    const stale = { is: false };
    let spoilt = '';
    const spoil: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      const token = headers.get('authorization') ?? '';
      if (stale.is && spoilt === '') spoilt = token;
      if (token && token === spoilt) headers.set('authorization', 'Bearer bad');
      return fetch(input, { ...init, headers });
    };
    const client = eventsGateway.createClient({ url: location.origin, organization: id, fetch: spoil });
    Object.assign(globalThis, { kept: { client, stale } });
  }, organization);
  return page;
}

it('tabs renew the token once for all of them, and sign out together', async () => {
  const context = await browser.newContext({ bypassCSP: true });
  const refreshes: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/auth/refresh')) refreshes.push(request.url());
  });
  const tabs = [
    await openTab(() => context.newPage()),
    await openTab(() => context.newPage()),
    await openTab(() => context.newPage()),
  ];
  const [first] = tabs;
  await first?.evaluate((credentials) => kept.client.signIn(credentials), { email, password });
  // the others have heard the token
  for (const tab of tabs) await expect.poll(() => tab.evaluate(() => kept.client.signedIn)).toBe(true);
  const ask = (tab: Page) =>
    tab.evaluate(async () => {
      kept.stale.is = true;
      const asked = [1, 2, 3].map(() => kept.client.get('/organization'));
      return (await Promise.all(asked)).map(({ name }) => name);
    });
  expect(await Promise.all(tabs.map(ask))).toEqual(tabs.map(() => ['Tabs', 'Tabs', 'Tabs']));
  expect(refreshes).toHaveLength(1);
  // a tab that is opened later goes on from the cookie
  const later = await openTab(() => context.newPage());
  expect(await later.evaluate(() => kept.client.resume())).toBe(true);
  await first?.evaluate(() => kept.client.signOut());
  for (const tab of [...tabs, later]) await expect.poll(() => tab.evaluate(() => kept.client.signedIn)).toBe(false);
});
