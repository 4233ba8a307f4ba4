import chromium from '@sparticuz/chromium';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../src/schema/graphiql.ts';
import { insertEvent } from '../support/fixtures.ts';
import { createWorld, query, readAnswer, type World } from '../support/graphql.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let world: World;
let browser: Browser;

beforeAll(async () => {
  server = await startTestServer();
  world = await createWorld(server);
  await insertEvent(server.orm, { organizationId: world.organizationId, name: 'Seen' });
  browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args,
    headless: true,
  });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** What the page does on its own: requests to anywhere, and what it complains about. */
async function open(): Promise<{ page: Page; requests: string[]; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const introspected = page.waitForResponse((response) => response.request().method() === 'POST', { timeout: 60_000 });
  await page.goto(`${server.url}/graphql`);
  expect((await introspected).status()).toBe(200);
  return { page, requests, complaints };
}

/** Replaces the text of one of the editors. */
async function type(page: Page, editor: string, text: string): Promise<void> {
  await page.locator(`${editor} .view-lines`).filter({ visible: true }).first().click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

test('a browser that opens /graphql gets GraphiQL, which asks no other host and runs a query', async () => {
  const { page, requests, complaints } = await open();
  await page.locator('.graphiql-query-editor .view-lines').first().waitFor({ timeout: 60_000 });
  await page.locator('.graphiql-editor-tool .view-lines').filter({ visible: true }).first().waitFor();
  const { accessToken, organizationId } = world.manager;
  const headers = { Authorization: `Bearer ${accessToken}`, 'x-organization-id': organizationId };
  await type(page, '.graphiql-editor-tool', JSON.stringify(headers));
  // the name of the first example: GraphiQL learns of another one only after a while
  await type(page, '.graphiql-query-editor', 'query WhoAmI { events { nodes { name } } }');
  const answered = page.waitForResponse((response) => !!response.request().postData()?.includes('events'));
  await page.getByRole('button', { name: /execute/i }).click();
  expect(await (await answered).json()).toMatchObject({ data: { events: { nodes: [{ name: 'Seen' }] } } });
  await page.locator('.result-window').getByText('Seen').waitFor({ timeout: 30_000 });
  const foreign = requests.filter((url) => !url.startsWith(`${server.url}/`) && !/^(data|blob):/.test(url));
  expect(foreign).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
}, 120_000);

test('its examples run', async () => {
  expect(examples).toHaveLength(3);
  for (const example of examples) await query(server, world.manager, example);
});

test('its page allows nothing from elsewhere', async () => {
  const response = await fetch(`${server.url}/graphql`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cache-control')).toContain('private');
  const policy = response.headers.get('content-security-policy');
  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+' blob:;/);
  expect(policy).toContain("connect-src 'self'");
  expect(await response.text()).toContain('query WhoAmI');
});

test('is not served where it is switched off', async () => {
  const plain = await startTestServer({ env: { GRAPHIQL: 'off' } });
  try {
    const response = await fetch(`${plain.url}/graphql`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(response.status).toBe(404);
    const answer = await readAnswer(response);
    expect(answer.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  } finally {
    await plain.close();
  }
});
