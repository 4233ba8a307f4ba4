import chromium from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { expect } from 'vitest';
import { shared } from './shared.ts';

// what nobody looks at needs no graphics, which a processor would have to draw: pages take a third of the time
chromium.setGraphicsMode = false;

/** A browser; whoever starts it closes it. */
export async function startBrowser(args = chromium.args): Promise<Browser> {
  return await playwright.launch({ executablePath: await chromium.executablePath(), args, headless: true });
}

/** A browser for all tests of a file. */
export const sharedBrowser = (): Promise<Browser> => shared(startBrowser());

/** One that keeps to CORS, for pages that call another origin; by itself this build sends no `Origin` and lets them read all. */
export async function startStrictBrowser(): Promise<Browser> {
  return await startBrowser(chromium.args.filter((each) => each !== '--disable-web-security'));
}

/**
 * Opens a page in a context of its own, and notes what it requests and what the browser complains about, violations of the
 * policy included. The context stays open: the browser ends with the first one that is closed.
 */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
  const complaints: string[] = [];
  page.on('console', (message) => {
    // what Playwright itself runs in a page that may run nothing
    if (!message.text().startsWith('Blocked script execution in ')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, requests, complaints };
}

/** Fills fields in, presses a button, and waits for what the page then says; null is a list of faults. */
export const press =
  (button: string, said: string | null, fields: Record<string, string> = {}) =>
  async (page: Page): Promise<void> => {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
    await page.getByRole('button', { name: button }).click();
    await (said === null ? page.getByRole('alert') : page.getByText(said)).waitFor();
  };

/** Expects that axe-core finds nothing at all, in light and in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe.source);
    const found = await page.evaluate(async () => {
      const { violations, passes } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
      const faults = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      return { faults, passed: passes.length };
    });
    expect([colorScheme, found.faults]).toEqual([colorScheme, []]);
    expect(found.passed).toBeGreaterThan(5);
  }
}

/** Expects that nothing is wider than the window, on a phone and on a desktop. */
export async function expectFits(page: Page): Promise<void> {
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    expect([width, widest]).toEqual([width, Math.min(widest, width)]);
  }
}
