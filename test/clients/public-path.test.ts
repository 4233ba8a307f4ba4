import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, sharedBrowser } from '../support/browser.ts';
import { buildDocuments, buildExplorer } from '../support/builds.ts';
import { insertEvent, insertMember, insertOrganization, insertUser, password } from '../support/fixtures.ts';
import { mailsTo } from '../support/guests.ts';
import { startPathProxy } from '../support/path-proxy.ts';
import { send } from '../support/send.ts';
import { post, serve, signInNew } from '../support/server.ts';
import { shared } from '../support/shared.ts';

await buildExplorer();
await buildDocuments();
const proxy = await shared(startPathProxy('/api/v1'));
const server = await serve({ env: { PUBLIC_URL: proxy.url } });
proxy.serve(server.url);
const browser = await sharedBrowser();

it('the link of a mail leads below the path, and its page posts there', async () => {
  const { email } = await insertUser(server.orm, { verified: false });
  await post(`${proxy.url}/auth/verify-email-request`, { email });
  const [mail] = await mailsTo(server, email);
  const link = /http\S+verify-email\?token=\S+/.exec(mail?.text ?? '')?.[0] as string;
  expect(link.startsWith(`${proxy.url}/verify-email?`)).toBe(true);
  const page = await browser.newPage();
  await page.goto(link);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Your address is confirmed.').waitFor();
});

it.each(['/graphql', '/graphql/'])(
  'GraphiQL at %s asks the service below the path',
  async (path) => {
    const page = await browser.newPage();
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(new URL(worker.url()).pathname));
    const introspected = page.waitForResponse((response) => response.request().method() === 'POST', {
      timeout: 60_000,
    });
    await page.goto(`${proxy.url}${path}`);
    const response = await introspected;
    expect([response.status(), new URL(response.url()).pathname]).toEqual([200, `/api/v1${path}`]);
    await expect.poll(() => workers.length, { timeout: 60_000 }).toBeGreaterThan(0);
    for (const worker of workers) expect(worker).toMatch(/^\/api\/v1\/graphql\/assets\/[\w.-]+\.js$/);
  },
  90_000,
);

it('the Location of a created object leads below the path', async () => {
  const { headers } = await send({ url: proxy.url }, await signInNew(server), 'POST /organizations', { name: 'Below' });
  expect(headers.get('location')).toMatch(/^\/api\/v1\/organizations\/[\da-f-]{36}$/);
});

it('the OpenAPI document names the path', async () => {
  const document = (await (await fetch(`${proxy.url}/openapi.json`)).json()) as { servers: unknown };
  expect(document.servers).toEqual([{ url: proxy.url }]);
});

it('the documents lead below the path', async () => {
  const page = await browser.newPage();
  await page.goto(`${proxy.url}/docs/`);
  await page.locator('.VPNavBar').getByRole('link', { name: 'Reference' }).click();
  await page.locator('.VPSidebar').getByRole('link', { name: 'Limits' }).click();
  await page.getByRole('heading', { name: 'Limits', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/api/v1/docs/reference/limits');
});

const email = 'owner@reference.example';
const { id: organizationId } = await insertOrganization(server.orm, { name: 'Reading Society' });
await insertMember(server.orm, { organizationId, role: 'owner', email, name: 'Rita' });
await insertEvent(server.orm, { organizationId, name: 'An evening of reading' });

/** The reference at an operation. */
async function openReference(operation: string) {
  const viewport = { width: 1400, height: 900 };
  const opened = await openPage(browser, `${proxy.url}/reference#${operation}`, { viewport });
  opened.page.setDefaultTimeout(60_000);
  return opened;
}

/** The only line in the console: Scalar says which version it is. */
const isGreeting = (text: string) => /^@scalar\/api-reference@[\d.]+$/.test(text);

/** Opens the form of an operation, sends the request, and gives back what the service answered. */
async function tryOperation(page: Page, method: string, path: string) {
  await page.getByRole('button', { name: `Test Request (${method} ${path})` }).click();
  const answered = page.waitForResponse((each) => new URL(each.url()).pathname === `/api/v1${path}`);
  await page
    .getByRole('button', { name: `Send ${method} request` })
    .filter({ visible: true })
    .first()
    .click();
  return await answered;
}

it('the reference shows every operation, asks no other host, and violates no policy', async () => {
  const { page, complaints, requests } = await openReference('tag/events/POST/events');
  await page.getByRole('heading', { name: 'Creates an event' }).waitFor();
  await page.getByText('Mutation.createEvent').first().waitFor();
  const own = /^\w+ (data|blob):/;
  expect(requests.filter((each) => !each.includes(` ${proxy.url}/`) && !own.test(each))).toEqual([]);
  expect(complaints.filter((each) => !isGreeting(each))).toEqual([]);
});

it('the reference shows the recorded request as a line of curl and as a call of the client, and what the service answered', async () => {
  const { page } = await openReference('tag/events/POST/events');
  const heading = page.getByRole('heading', { name: 'Creates an event' });
  await heading.waitFor();
  const operation = page.locator('section', { has: heading }).last();
  const shows = (text: string) => expect.poll(() => operation.textContent()).toContain(text);
  await shows('-H "authorization: Bearer $TOKEN"');
  await shows('"bread-baking-for-beginners"');
  await operation.getByRole('button', { name: 'curl' }).click();
  await page.getByRole('option', { name: 'events-gateway-client' }).click();
  await shows("await client.post('/events', {");
});

it('the reference sends requests as whoever signed in above, in their organization', async () => {
  const { page, complaints } = await openReference('tag/events/GET/events');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Signed in as Rita').waitFor();
  const answer = await tryOperation(page, 'get', '/events');
  expect(answer.status()).toBe(200);
  expect((await answer.request().allHeaders())['x-organization-id']).toBe(organizationId);
  expect(await answer.json()).toMatchObject({ items: [{ name: 'An evening of reading' }] });
  expect(complaints.filter((each) => !isGreeting(each))).toEqual([]);
});

it('the reference has a policy with a nonce of its own for each request', async () => {
  const policies = await Promise.all(
    [1, 2].map(async () => (await fetch(`${server.url}/reference`)).headers.get('content-security-policy')),
  );
  expect(policies[0]).toMatch(/script-src 'nonce-[\w+/=]{24}';/);
  expect(policies[0]).not.toBe(policies[1]);
  expect(policies[0]).not.toMatch(/style-src [^;]*unsafe-inline|unsafe-eval|https?:/);
});
