import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, expectFits, openPage, sharedBrowser } from '../support/browser.ts';
import { insertUser } from '../support/fixtures.ts';
import { mailsTo } from '../support/guests.ts';
import { post, serve } from '../support/server.ts';

const server = await serve();
const browser = await sharedBrowser();
const { email } = await insertUser(server.orm, { verified: false });
await post(`${server.url}/auth/verify-email-request`, { email });
const [mail] = await mailsTo(server, email);

const signIn = async (page: Page) => {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill('a wrong password');
  await page.getByRole('button').click();
  await page.getByRole('status').getByText(/./).waitFor();
};
const setPassword = async (page: Page) => {
  await page.getByLabel('New password').fill('quite a good one');
  await page.getByLabel('Repeat').fill('quite another one');
  await page.getByRole('button').click();
  await page.getByText('The two passwords do not match.').waitFor();
};

/** The pages that are not about events, and how to come to what they say. */
const views: [string, ((page: Page) => Promise<void>)?][] = [
  ['/'],
  ['/verify-email?token=x'],
  ['/verify-email?token=x', signIn],
  ['/reset-password?token=x'],
  ['/reset-password?token=x', setPassword],
  ['/invitation?token=x'],
  ['/invitation?token=x', signIn],
  ['/errors'],
  ['/errors/VALIDATION_ERROR'],
  ['/errors/unknown'],
  ['/dev/mailbox'],
  [`/dev/mailbox/${mail?.name}`],
];

it.each(views)('%s is for everybody: axe-core finds nothing, and it fits the window', async (path, prepare) => {
  // axe-core waits for timers, which the policy of a page without scripts does not let run
  const { page } = await openPage(browser, server.url + path, { bypassCSP: true });
  await prepare?.(page);
  await expectAccessible(page);
  await expectFits(page);
});

it('what is not accessible, or too wide, is noticed', async () => {
  const { page } = await openPage(browser, `${server.url}/verify-email`);
  await page.evaluate(() => document.querySelector('label')?.remove());
  await expect(expectAccessible(page)).rejects.toThrow('light');
  await page.evaluate(() => {
    (document.querySelector('h1') as HTMLElement).style.width = '400px';
  });
  await expect(expectFits(page)).rejects.toThrow('320');
});
