import { randomUUIDv7 } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, sharedBrowser } from '../support/browser.ts';
import { insertUser, password } from '../support/fixtures.ts';
import { countMails, guestAddress, mailsTo, tokenOf } from '../support/guests.ts';
import { organizer } from '../support/organizer.ts';
import { expectCode } from '../support/send.ts';
import { post, serve, signIn } from '../support/server.ts';

const server = await serve();
const browser = await sharedBrowser();

async function mailedToken(path: string, email: string): Promise<string> {
  const mails = await countMails(server, email);
  await post(`${server.url}/auth/${path}`, { email });
  return tokenOf((await mailsTo(server, email, mails + 1)).at(-1) as { text: string });
}

const open = (path: string) => openPage(browser, server.url + path);

async function confirm(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(secret);
  await page.getByRole('button', { name: 'Confirm' }).click();
}

async function livingSessions(email: string): Promise<number> {
  const living =
    'select s.id from session s join "user" u on u.id = s.user_id where u.email = ? and s.ended_at is null';
  return (await server.execute(living, [email])).length;
}

describe('the pages of links', () => {
  it.each(['/verify-email', '/reset-password', '/invitation'])(
    '%s answers one page for every token, with a strict policy',
    async (path) => {
      const [one, two] = [
        await fetch(`${server.url}${path}?token=abc`),
        await fetch(`${server.url}${path}?token="><b>`),
      ];
      expect(await one.text()).toBe(await two.text());
      expect(Object.fromEntries(one.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
        ),
      });
    },
  );

  it('use no token up, however often they are opened', async () => {
    const { email } = await insertUser(server.orm, { verified: false });
    const token = await mailedToken('verify-email-request', email);
    for (const method of ['GET', 'HEAD', 'GET', 'OPTIONS']) {
      await fetch(`${server.url}/verify-email?token=${token}`, { method });
      await fetch(`${server.url}/auth/verify-email?token=${token}`, { method });
    }
    expect((await post(`${server.url}/auth/verify-email`, { token })).status).toBe(200);
  });
});

describe('a browser', () => {
  it('confirms an address with the button of the page, and leaves no token in the address bar', async () => {
    const { email } = await insertUser(server.orm, { verified: false });
    const token = await mailedToken('verify-email-request', email);
    const { page, requests, complaints } = await open(`/verify-email?token=${token}`);
    expect(page.url()).toBe(`${server.url}/verify-email`);
    expect(requests).toEqual([`GET ${server.url}/verify-email?token=${token}`]);
    await confirm(page, email);
    await page.getByText('Your address is confirmed.').waitFor();
    expect(requests.slice(1)).toEqual([`POST ${server.url}/auth/login`, `POST ${server.url}/auth/verify-email`]);
    // browsers name each answer that is no success
    expect(complaints).toEqual([expect.stringContaining('401')]);
    await signIn(server.url, email);

    const { page: again } = await open(`/verify-email?token=${token}`);
    await confirm(again, email);
    await again.getByText('This link has already been used').waitFor();
    expect(await livingSessions(email)).toBe(1);
  });

  it('does not confirm an account for whoever does not know the password of its sign-up', async () => {
    const email = `victim-${randomUUIDv7()}@example.org`;
    await post(`${server.url}/auth/signup`, { email, password: 'of an attacker', name: 'M', organization_name: 'M' });
    const token = tokenOf((await mailsTo(server, email))[0] as { text: string });
    const { page, requests } = await open(`/verify-email?token=${token}`);
    await page.getByText('If you did not sign up, close this page').waitFor();
    await confirm(page, email, 'what the victim tries');
    await page.getByText('This is not the password of that account.').waitFor();
    expect(requests.slice(1)).toEqual([`POST ${server.url}/auth/login`]);
    const attack = await post(`${server.url}/auth/login`, { email, password: 'of an attacker' });
    expectCode(attack, 401, 'USER_NOT_VERIFIED');
  });

  it('sets a password with the form of the page, and explains what is wrong with one', async () => {
    const { email } = await insertUser(server.orm);
    const token = await mailedToken('reset-password-request', email);
    const { page } = await open(`/reset-password?token=${token}`);
    const fill = async (first: string, second: string) => {
      await page.getByLabel('New password').fill(first);
      await page.getByLabel('Repeat the password').fill(second);
      await page.getByRole('button').click();
    };
    await fill('quite a good one', 'quite another one');
    await page.getByText('The two passwords do not match.').waitFor();
    await fill('password123', 'password123');
    await page.getByText('This password is too common.').waitFor();
    await fill('quite a good one', 'quite a good one');
    await page.getByText('Your password is set.').waitFor();
    await signIn(server.url, email, 'quite a good one');
  });

  it('shows the mails at /dev/mailbox, whose HTML runs and loads nothing', async () => {
    const { email } = await insertUser(server.orm, { name: '<script>document.title="run"</script>' });
    await mailedToken('reset-password-request', email);
    const { page, requests } = await open('/dev/mailbox');
    await page.getByRole('link', { name: 'Set a new password' }).first().click();
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('link', { name: 'Set a new password' }).waitFor();
    expect(await page.title()).toBe('Set a new password');
    expect(requests.every((each) => each.startsWith(`GET ${server.url}/dev/mailbox`))).toBe(true);
  });
});

const place = await organizer(server);

it('a page without a script redirects nobody and runs nothing, even if HTML of an author got into it', async () => {
  const event = await place.event();
  const { page, complaints } = await openPage(browser, 'about:blank');
  await page.route('**/o/**', async (route) => {
    const response = await route.fetch();
    const planted = `<meta http-equiv="refresh" content="0;url=${server.url}/errors"><p onclick="document.title='run'">Planted</p>`;
    const body = (await response.text()).replace('</main>', `${planted}</main>`);
    await route.fulfill({ response, body });
  });
  await page.goto(server.url + place.pathOf(event));
  await expect.poll(() => complaints.join('\n')).toContain("'allow-scripts'");
  expect(complaints.filter((each) => each.includes('refresh'))).toHaveLength(1);
  await page.getByText('Planted').click();
  expect(new URL(page.url()).pathname).toBe(place.pathOf(event));
  expect(await page.title()).not.toBe('run');
});

it('its links, downloads and form work', async () => {
  const event = await place.event({ name: 'Bread', description: '[the errors](http://events.test/errors)' });
  const { page, complaints } = await openPage(browser, server.url + place.list);
  await page
    .context()
    .route('http://events.test/errors', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p id="p">no</p><script>p.textContent = "runs"</script>' }),
    );
  await page.getByRole('link', { name: 'Bread' }).click();
  await page.getByRole('heading', { name: 'Bread' }).waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Add to your calendar' }).click();
  expect((await downloading).suggestedFilename()).toBe(`${event.slug}.ics`);
  const opening = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'the errors' }).click({ modifiers: ['ControlOrMeta'] });
  // what is opened beside it is not held to its policy
  await (await opening).getByText('runs').waitFor();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByRole('alert').waitFor();
  // the list of faults has the focus
  expect(await page.getByRole('alert').evaluate((alert) => alert === document.activeElement)).toBe(true);
  await page.getByLabel('Your name').fill('Grace');
  await page.getByLabel('Your e-mail address').fill(guestAddress());
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  await page.getByRole('link', { name: 'Back to the event' }).click();
  await page.getByRole('link', { name: 'the errors' }).click();
  await page.getByText('runs').waitFor();
  expect(complaints).toEqual([expect.stringContaining('422')]);
});
