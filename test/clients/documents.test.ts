import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'parse5';
import { expect, it } from 'vitest';
import { openPage, sharedBrowser } from '../support/browser.ts';
import { buildDocuments } from '../support/builds.ts';
import { serve } from '../support/server.ts';

const root = path.join(import.meta.dirname, '..', '..');
const site = path.join(root, 'dist/docs');
await buildDocuments();
const server = await serve();
const browser = await sharedBrowser();

interface Node {
  tagName?: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Node[];
}

function read(file: string) {
  const page = { ids: new Set<string>(), links: [] as string[], resources: [] as string[], inlineScripts: 0 };
  const visit = (node: Node) => {
    const attributes = new Map(node.attrs?.map(({ name, value }) => [name, value]));
    const { id, href, src } = Object.fromEntries(attributes);
    if (id !== undefined) page.ids.add(id);
    if (node.tagName === 'a' && href !== undefined) page.links.push(href);
    if (node.tagName === 'link' && href !== undefined) page.resources.push(href);
    if (src !== undefined) page.resources.push(src);
    if (node.tagName === 'script' && src === undefined) page.inlineScripts += 1;
    for (const child of node.childNodes ?? []) visit(child);
  };
  visit(parse(readFileSync(path.join(site, file), 'utf8')) as Node);
  return page;
}

const pages = new Map(globSync('**/*.html', { cwd: site }).map((file) => [`/docs/${file}`, read(file)]));

/** The file of the site that an address below `/docs` stands for. */
const fileOf = (address: string) =>
  [address, `${address}.html`, `${address}index.html`].find((each) => pages.has(each)) ?? address;

it('has every page of the repository, each with its own script and style', () => {
  expect(pages.size).toBeGreaterThan(100);
  for (const [name, { inlineScripts, resources }] of pages) {
    expect([name, inlineScripts]).toEqual([name, 0]);
    expect([name, resources.filter((each) => !/^(\/docs\/|data:)/.test(each))]).toEqual([name, []]);
  }
});

it('every link leads to a page, to a heading of it, or to a file', async () => {
  const broken: string[] = [];
  const files = new Set<string>();
  for (const [name, { links }] of pages) {
    for (const link of links.filter((each) => !/^[a-z]+:/.test(each))) {
      const [target = '', anchor] = link.split('#');
      const file = target === '' ? name : fileOf(target);
      const page = pages.get(file);
      if (!page) files.add(target);
      else if (anchor && !page.ids.has(decodeURIComponent(anchor))) broken.push(`${name}: ${link}`);
    }
  }
  for (const file of files) {
    const { status } = await fetch(server.url + file, { method: 'HEAD' });
    if (status !== 200) broken.push(`${file}: ${status}`);
  }
  expect(broken).toEqual([]);
});

it('keeps the addresses of files, refuses other methods, and lets hashed files be kept', async () => {
  const get = (name: string, init?: RequestInit) => fetch(server.url + name, { redirect: 'manual', ...init });
  const addressOf = async (name: string) => {
    const response = await get(name);
    return [response.status, new URL(response.headers.get('location') ?? '', server.url + name).pathname];
  };
  expect(await addressOf('/docs')).toEqual([308, '/docs/']);
  expect(await addressOf('/docs/reference/lists.md')).toEqual([308, '/docs/reference/lists']);
  expect(await addressOf('/docs/operate/README.md')).toEqual([308, '/docs/operate/']);
  const page = await get('/docs/reference/lists');
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self';/);
  const [script = ''] = (await page.text()).match(/\/docs\/assets\/app\.[\w-]+\.js/) ?? [];
  expect((await get(script)).headers.get('cache-control')).toMatch(/immutable/);
  expect((await get('/docs/none')).status).toBe(404);
  expect((await get('/docs/..%2fpackage.json')).status).toBe(404);
  const refused = await get('/docs/', { method: 'POST' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('a reader finds a page by the navigation and by the search, copies code, and may choose the dark', async () => {
  const { page, requests, complaints } = await openPage(browser, `${server.url}/docs/`, {
    viewport: { width: 1400, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  await page.locator('.VPNavBar').getByText(version, { exact: true }).waitFor();
  await page.locator('.VPNavBar').getByRole('link', { name: 'Reference' }).click();
  await page.locator('.VPSidebar').getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { name: 'Webhooks', exact: false, level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/docs/reference/webhooks');

  const block = page.locator('div[class*="language-"]').first();
  await block.hover();
  await block.getByRole('button').click();
  await block.locator('button.copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('curl');

  await page.keyboard.press('Control+k');
  await page.locator('#localsearch-input').fill('waiting list');
  await page.locator('#localsearch-list .result').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/.*#/);

  const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
  const before = await isDark();
  await page.locator('.VPSwitchAppearance').first().click();
  await expect.poll(isDark).toBe(!before);
  await page.reload();
  expect(await isDark()).toBe(!before);
  const isOwn = (each: string) => each.startsWith(`GET ${server.url}/docs/`) || each.startsWith('GET data:');
  expect(requests.filter((each) => !isOwn(each))).toEqual([]);
  expect(complaints).toEqual([]);
});

it('fits a phone, whose menu has the same pages', async () => {
  const { page, complaints } = await openPage(browser, `${server.url}/docs/reference/lists`, {
    viewport: { width: 375, height: 800 },
  });
  const widest = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(widest).toBeLessThanOrEqual(375);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('.VPSidebar').getByRole('link', { name: 'Limits' }).click();
  await page.getByRole('heading', { name: 'Limits', level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});
