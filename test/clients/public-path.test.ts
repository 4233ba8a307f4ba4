import { expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { buildDocuments } from '../support/documents.ts';
import { buildExplorer } from '../support/explorer.ts';
import { insertUser, password } from '../support/fixtures.ts';
import { mailsTo } from '../support/mail.ts';
import { startPathProxy } from '../support/path-proxy.ts';
import { serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { post } from '../support/sign-in.ts';

await buildExplorer();
await buildDocuments();
const proxy = await shared(startPathProxy('/api/v1'));
const server = await serve({ env: { PUBLIC_URL: proxy.url } });
proxy.serve(server.url);
const browser = await shared(startBrowser());

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
