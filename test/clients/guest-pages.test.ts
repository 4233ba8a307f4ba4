import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, expectFits, openPage, press, sharedBrowser } from '../support/browser.ts';
import { guestAddress, guestOf } from '../support/guests.ts';
import { everyAnswer, everyQuestion, organizer, submitForm } from '../support/organizer.ts';
import { send } from '../support/send.ts';
import { serve } from '../support/server.ts';

const server = await serve();
const place = await organizer(server);
const guest = guestOf(server, place.organizationId);
const browser = await sharedBrowser();
const open = (path: string, javaScriptEnabled = true) => openPage(browser, server.url + path, { javaScriptEnabled });

/** A subscription with answers to every question, and the token of its link. */
async function subscribed(name = 'Bread Baking for Beginners') {
  const event = await place.event({ name, location: 'Old Mill, Mill Lane 3', timezone: 'Europe/Berlin' });
  await place.ask(event, everyQuestion);
  const email = guestAddress();
  await submitForm(server, place.pathOf(event), [['name', 'Grace'], ['email', email], ...everyAnswer]);
  const request = await guest.mailed(email);
  return {
    event,
    request,
    confirmed: async () => {
      await guest.confirm(request);
      return await guest.mailed(email, 2);
    },
  };
}

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScript) => {
  it('the link of a request asks, confirms, and is of no use again', async () => {
    const { request } = await subscribed();
    const path = `/confirm-subscription?token=${request}`;
    // a mail scanner that follows the link changes nothing
    for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(server.url + path, { method })).status).toBe(200);
    const { page, complaints } = await open(path, javaScript);
    await page.getByText('Bread Baking for Beginners').waitFor();
    await page.getByText('(Europe/Berlin)').waitFor();
    // without JavaScript the token stays in the address bar, and nowhere else
    expect(page.url().includes(request)).toBe(!javaScript);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('You have a place').waitFor();
    expect(page.url()).toBe(`${server.url}/confirm-subscription#outcome`);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(complaints).toEqual([]);
    const again = await open(path, javaScript);
    await again.page.getByText('It has already been used').waitFor();
    expect(await again.page.getByRole('button').count()).toBe(0);
  });

  it('the link of a request shows name, answers and consents, which can be changed before they count', async () => {
    const { event, request } = await subscribed();
    const { page, complaints } = await open(`/confirm-subscription?token=${request}`, javaScript);
    expect(await page.getByLabel('Your name').inputValue()).toBe('Grace');
    expect(await page.getByLabel('What do you bring?').inputValue()).toBe('A pie');
    expect(await page.getByLabel('I have read the rules of the house.').isChecked()).toBe(true);
    await page.getByLabel('Your name').fill(' ');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Please enter your name.').first().waitFor();
    expect(await page.title()).toMatch(/^Not confirmed yet: /);
    await page.getByLabel('Your name').fill('Not Grace');
    await page.getByLabel('What do you bring?').fill('A cake');
    await page.getByLabel('I have read the rules of the house.').uncheck();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Please tick this box').first().waitFor();
    expect(await page.getByLabel('Your name').inputValue()).toBe('Not Grace');
    expect(await page.getByLabel('What do you bring?').inputValue()).toBe('A cake');
    const stored = () => server.execute('select guest_name, answers from subscription where event_id = ?', [event.id]);
    expect(await stored()).toEqual([]);
    await place.ask(event, everyQuestion.slice(0, 7));
    await page.getByLabel('I have read the rules of the house.').check();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('The form has changed').first().waitFor();
    expect(await page.getByLabel('What do you bring?').inputValue()).toBe('A cake');
    expect(await page.getByLabel('Your web site').count()).toBe(0);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('You have a place').waitFor();
    expect(await stored()).toMatchObject([{ guest_name: 'Not Grace', answers: { dish: 'A cake', rules: true } }]);
    expect(complaints.map((each) => /\d{3}/.exec(each)?.[0])).toEqual(['422', '422', '409']);
  });

  it('the link to a subscription shows it, as text, changes its answers and cancels it when asked twice', async () => {
    const name = '<img src=x onerror=alert(1)> “Tea”';
    const token = await (await subscribed(name)).confirmed();
    const { page, complaints } = await open(`/my-subscription?token=${token}`, javaScript);
    await page.getByRole('heading', { name }).waitFor();
    await page.getByText('You have a place').waitFor();
    await page.getByText('Old Mill, Mill Lane 3').waitFor();
    await page.getByLabel('What do you bring?').fill('A cake');
    await page.getByLabel('Cheese').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The number of options must be at most 2.').first().waitFor();
    expect(await page.getByLabel('What do you bring?').inputValue()).toBe('A cake');
    expect((await guest.lookup(token)).body.answers).toMatchObject({ dish: 'A pie' });
    await page.getByLabel('Wine').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('These are now your answers.').waitFor();
    expect((await guest.lookup(token)).body.answers).toMatchObject({ dish: 'A cake', talks: ['bread', 'cheese'] });
    await page.getByRole('button', { name: 'Cancel the subscription' }).click();
    await page.getByRole('button', { name: 'No, keep it' }).click();
    await page.getByText('You have a place').waitFor();
    await page.getByRole('button', { name: 'Cancel the subscription' }).click();
    expect((await guest.lookup(token)).body.status).toBe('accepted');
    await page.getByRole('button', { name: 'Yes, cancel it' }).click();
    await page.getByText('Your subscription is cancelled.').waitFor();
    expect((await guest.lookup(token)).body.status).toBe('cancelled');
    expect(await page.getByRole('button').allTextContents()).toEqual(['Erase your data']);
    await page.reload();
    await page.getByText('Your subscription is cancelled.').waitFor();
    expect(complaints).toEqual([expect.stringContaining('422')]);
  });
});

const asking = async () => `/confirm-subscription?token=${(await subscribed()).request}`;
const own = async () => `/my-subscription?token=${await (await subscribed()).confirmed()}`;
/** What to open, and how to come to the page that is looked at. */
const views: [string, () => Promise<string>, ((page: Page) => Promise<void>)?][] = [
  ['a question whether to confirm', asking],
  ['a confirmation', asking, press('Confirm', 'You have a place')],
  ['a confirmation with faults', asking, press('Confirm', null, { 'Your name': '', 'Another address': 'x' })],
  ['a subscription', own],
  ['answers with faults', own, press('Save', null, { 'What do you bring?': '', 'Another address': 'x' })],
  ['a question whether to cancel', own, press('Cancel the subscription', 'Yes, cancel it')],
  ['a question whether to erase', own, press('Erase your data', 'Yes, erase everything')],
  ['a link that does not work', async () => '/my-subscription?token=x'],
];

it.each(views)('%s is for everybody: axe-core finds nothing, and it fits the window', async (_, pathOf, prepare) => {
  const { page } = await open(await pathOf());
  await prepare?.(page);
  await expectAccessible(page);
  await expectFits(page);
});

it('they show who invites, in their colour', async () => {
  const accent = '#767676';
  const profile = { accent, website: 'https://example.org/bakery', contact_email: 'bakery@example.org' };
  const said = await send(server, place.team.owner, 'PATCH /organization', profile);
  expect(said.status, said.text).toBe(200);
  const colour = [1, 3, 5].map((from) => Number.parseInt(accent.slice(from, from + 2), 16)).join(', ');
  const [asked, taken] = [await subscribed(), await subscribed()];
  for (const path of [
    `/confirm-subscription?token=${asked.request}`,
    `/my-subscription?token=${await taken.confirmed()}`,
  ]) {
    const { page, complaints } = await open(path);
    await expectAccessible(page);
    await expectFits(page);
    await page.emulateMedia({ colorScheme: 'light' });
    const contact = page.getByRole('link', { name: 'bakery@example.org' });
    expect(await contact.evaluate((node) => getComputedStyle(node).color)).toBe(`rgb(${colour})`);
    expect(await contact.getAttribute('href')).toBe('mailto:bakery@example.org');
    await page.getByRole('link', { name: 'example.org/bakery' }).waitFor();
    expect(complaints).toEqual([]);
    await page.getByRole('navigation', { name: 'Organizer' }).getByRole('link').click();
    await page.waitForURL(`${server.url}${place.list}`);
  }
});
