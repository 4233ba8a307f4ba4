import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, expectFits, openPage, press, sharedBrowser } from '../support/browser.ts';
import { guestAddress } from '../support/guests.ts';
import { mailTo } from '../support/newcomers.ts';
import { everyQuestion, organizer } from '../support/organizer.ts';
import { startPathProxy } from '../support/path-proxy.ts';
import { inDays } from '../support/public-world.ts';
import { send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startSmtp } from '../support/smtp.ts';

const proxy = await shared(startPathProxy('/api/v1'));
const smtp = await shared(startSmtp());
const server = await serve({ env: { PUBLIC_URL: proxy.url, SMTP_URL: `${smtp.url}?tls=off` } });
proxy.serve(server.url);
const browser = await sharedBrowser();

/** The link in the mail with this subject to an address. */
async function linkTo(email: string, subject: string): Promise<string> {
  const { mail } = await mailTo(smtp, email, subject);
  return /http\S+token=\S+/.exec(mail.text ?? '')?.[0] as string;
}

async function places(eventId: string): Promise<number> {
  const [event] = await server.execute('select accepted_count from event where id = ?', [eventId]);
  return event?.accepted_count;
}

async function bakery() {
  const place = await organizer(server, 'Slow Food Society of the Upper Valley');
  const event = await place.event({
    name: 'Bread Baking for Beginners, Donaudampfschifffahrtsgesellschaftskapitänspatentinhaberversammlung',
    description: `We bake **bread**.\n\n### What to bring\n\n- a bowl\n- [ ] flour\n\n> Come hungry.\n\n\`\`\`\n${'x'.repeat(300)}\n\`\`\`\n\n[the mill](https://example.org) ${'https://example.org/a-long-address/'.repeat(6)}`,
    location: 'Old Mill, Mill Lane 3',
    timezone: 'Europe/Berlin',
    capacity: 12,
  });
  await place.ask(event, everyQuestion);
  const word = 'W'.repeat(200);
  const wordy = await place.event({ name: word, description: word.repeat(5), location: word.repeat(2) });
  const options = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ value: `${index}`, label: `${word.slice(9)}${index}` }));
  const asked = { label: word, help: word.repeat(5), required: true };
  await place.ask(wordy, [
    ...(['text', 'long_text', 'consent'] as const).map((type) => ({ ...asked, key: type, type })),
    { ...asked, key: 'one', type: 'choice', options: options(3) },
    { ...asked, key: 'menu', type: 'choice', options: options(20) },
    { ...asked, key: 'some', type: 'choices', options: options(3) },
  ]);
  return { ...place, bread: event, wordy };
}

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const isThere = () =>
    page.evaluate((wanted) => {
      const at = document.activeElement;
      const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])].map((each) => each.textContent) : [];
      return [...labels, at?.textContent ?? ''].some((each) => each.trim().startsWith(wanted));
    }, name);
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if (await isThere()) return;
  }
  throw new Error(`Tab never reaches “${name}”.`);
}

it('a stranger goes from the page of an organization to a place, other answers and back by keyboard alone, without JavaScript', async () => {
  const { list, bread } = await bakery();
  const { page, complaints } = await openPage(browser, proxy.url + list, { javaScriptEnabled: false });
  await tabTo(page, 'Bread Baking');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Subscribe' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/api/v1${list}/${bread.slug}`);
  const email = guestAddress();
  await tabTo(page, 'Your name');
  await page.keyboard.type('Grace');
  await tabTo(page, 'Your e-mail address');
  await page.keyboard.type(email);
  await tabTo(page, 'How many people');
  await page.keyboard.type('two');
  await page.keyboard.press('Enter');
  await page.getByText('4 fields need your attention').waitFor();
  // the list of faults has the focus, and leads to the fields
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('A pie');
  expect(await page.getByLabel('What do you bring?').inputValue()).toBe('A pie');
  await tabTo(page, 'How many people');
  await page.keyboard.type('2');
  await tabTo(page, 'With meat');
  await page.keyboard.press('ArrowDown');
  await tabTo(page, 'I have read the rules');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  const link = await linkTo(email, 'Confirm your subscription');
  expect(link.startsWith(`${proxy.url}/confirm-subscription?token=`)).toBe(true);
  await page.goto(link);
  await page.getByText('Bread Baking for Beginners').first().waitFor();
  expect(await places(bread.id)).toBe(0);
  await tabTo(page, 'Confirm');
  await page.keyboard.press('Enter');
  await page.getByText('You have a place').waitFor();
  expect(await places(bread.id)).toBe(1);

  await page.goto(await linkTo(email, 'You have a place'));
  expect(await page.getByLabel('What do you bring?').inputValue()).toBe('A pie');
  expect(await page.getByLabel('Vegetarian').isChecked()).toBe(true);
  await tabTo(page, 'What do you bring?');
  await page.keyboard.type('A cake');
  await page.keyboard.press('Enter');
  await page.getByText('These are now your answers.').waitFor();
  expect(await page.getByLabel('What do you bring?').inputValue()).toBe('A cake');
  await tabTo(page, 'Cancel the subscription');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Cancel your subscription?' }).waitFor();
  expect(await places(bread.id)).toBe(1);
  await tabTo(page, 'Yes, cancel it');
  await page.keyboard.press('Enter');
  await page.getByText('Thank you for telling us.').waitFor();
  expect(await places(bread.id)).toBe(0);
  expect(complaints).toEqual([expect.stringContaining('422')]);
});

describe('the pages', () => {
  const faulty = { 'Your e-mail address': 'nobody', 'How many people': '9' };
  /** What to open, and how to come to the page that is looked at. */
  const views: [string, (place: Awaited<ReturnType<typeof bakery>>) => string, ((page: Page) => Promise<void>)?][] = [
    ['a list', ({ list }) => list],
    ['an event', ({ pathOf, bread }) => pathOf(bread)],
    ['a form with faults', ({ pathOf, bread }) => pathOf(bread), press('Subscribe', null, faulty)],
    ['the longest words', ({ pathOf, wordy }) => pathOf(wordy), press('Subscribe', null)],
    ['a form that was sent', ({ pathOf, bread }) => `${pathOf(bread)}?sent`],
    ['nothing', ({ list }) => `${list}/nothing`],
  ];

  // the lightest that is taken on white, the darkest, and one between
  it.each(['#767676', '#000000', '#0b6e4f'])(
    'can be read in the colour %s of their organizer, in light and in dark',
    async (accent) => {
      const { team, list, pathOf, bread } = await bakery();
      await send(server, team.owner, 'PATCH /organization', {
        accent,
        description: `We bake.\n\n- [the mill](https://example.org/${'x'.repeat(300)})`,
        website: `https://example.org/${'w'.repeat(300)}`,
        contact_email: `bakery@${'w'.repeat(60)}.example.org`,
      });
      for (const path of [list, pathOf(bread), `${pathOf(bread)}?sent`]) {
        expect((await openPage(browser, proxy.url + path)).complaints).toEqual([]);
        // axe-core waits for timers, which the policy of a page without scripts does not let run
        const { page, complaints } = await openPage(browser, proxy.url + path, { bypassCSP: true });
        await expectAccessible(page);
        await expectFits(page);
        const link = page.getByRole('main').getByRole('link').first();
        const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) =>
          Number.parseInt(accent.slice(from, from + 2), 16),
        );
        await page.emulateMedia({ colorScheme: 'light' });
        expect(await link.evaluate((node) => getComputedStyle(node).color)).toBe(`rgb(${red}, ${green}, ${blue})`);
        expect(complaints).toEqual([]);
      }
    },
  );

  it.each(views)(
    'show %s to everybody: axe-core finds nothing, and no page is wider than the window',
    async (_, pathOf, prepare) => {
      const place = await bakery();
      await place.event({ name: 'Called off', status: 2, dateStart: inDays(3) });
      await place.event({ name: 'Full', capacity: 1, accepted: 1, waitingList: false });
      for (let index = 0; index < 20; index += 1) await place.event({ name: `Later ${index}`, dateStart: inDays(20) });
      for (const bypassCSP of [true, false]) {
        const { page, complaints } = await openPage(browser, proxy.url + pathOf(place), { bypassCSP });
        await prepare?.(page);
        // it waits for timers, which the policy of a page without scripts does not let run
        if (bypassCSP) await expectAccessible(page);
        await expectFits(page);
        // browsers name each answer that is no success; nothing is said of the policy
        expect(complaints.filter((each) => !/status of (404|422)/.test(each))).toEqual([]);
      }
    },
  );
});
