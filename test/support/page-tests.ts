import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { expectAccessible, expectFits, startStrictBrowser } from './browser.ts';
import {
  createEventWorld,
  type EventWorld,
  itemOf,
  joinSecond,
  namesOn,
  openExample,
  type PageExample,
  serveExample,
  signInOnPage,
} from './example-page.ts';
import { password } from './fixtures.ts';
import { everyQuestion } from './organizer.ts';
import { send } from './send.ts';
import { startTestServer, type TestServer } from './server.ts';

const coming = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `Coming ${from + index}`);
const past = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => `Past ${from - index}`);

/** What each of the three pages does, in a browser and against a service of its own. */
export function testPage(name: PageExample): void {
  let server: TestServer;
  let world: EventWorld;
  let page: Page;
  let url: string;
  beforeAll(async () => {
    server = await startTestServer();
    const [site, made] = await Promise.all([serveExample(name, server.url), createEventWorld(server)]);
    // its own: the streams of another one would take up the connections
    const browser = await startStrictBrowser();
    ({ url } = site);
    world = made;
    ({ page } = await openExample(browser, url));
    await signInOnPage(page, world.email);
    return async () => {
      await browser.close();
      await site.close();
      await server.close();
    };
  });
  /** What somebody else does. */
  const ask = async (request: string, body?: unknown) => {
    const answer = await send<{ id: string }>(server, world.owner, request, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  };
  const button = (event: string, label: string) => itemOf(page, event).getByRole('button', { name: label });
  const says = (event: string, text: string) => itemOf(page, event).getByText(text).waitFor();

  /** Holds the next write of the page back, until the test lets it go. */
  async function holdWrite(mutation: string) {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes(mutation)) await released;
      await route.continue();
    });
    return async () => {
      const answered = page.waitForResponse((answer) => !!answer.request().postData()?.includes(mutation));
      release();
      // to stop intercepting while the request is on its way may leave its preflight without an answer
      await answered;
      await page.unrouteAll({ behavior: 'wait' });
    };
  }

  /** Lets only the events be listed whose name contains this. */
  async function show(name: string, options: { status?: string; attending?: boolean } = {}) {
    await page.getByLabel('Name contains').fill(name);
    await page.getByLabel('Status').selectOption(options.status ?? '');
    await page.getByLabel('Events that I attend').setChecked(options.attending ?? false);
    await page.getByRole('button', { name: 'Show' }).click();
  }

  it('goes on from the cookie when it is loaded again, and keeps the token out of the storage', async () => {
    const again = await page.context().newPage();
    await again.goto(url);
    await again.getByText('Signed in as Mia').waitFor();
    const stored = await again.evaluate(() => Object.values({ ...localStorage, ...sessionStorage }));
    expect(stored).toEqual(['signed in']);
    await again.getByRole('button', { name: 'Sign out' }).click();
    await again.getByLabel('Password').fill('a wrong password');
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.getByRole('alert').waitFor();
    await signInOnPage(again, world.email);
    await page.reload();
    await page.getByText('Signed in as Mia').waitFor();
  });

  it('walks the events both ways, from now on', async () => {
    await expect.poll(() => namesOn(page)).toEqual(coming(1, 10));
    const earlier = page.getByRole('button', { name: 'Earlier events' });
    const later = page.getByRole('button', { name: 'Later events' });
    await earlier.click();
    await expect.poll(() => namesOn(page)).toEqual([...past(10, 1), ...coming(1, 10)]);
    await later.click();
    await expect.poll(() => namesOn(page)).toEqual([...past(10, 1), ...coming(1, 20)]);
    await later.click();
    await expect.poll(() => namesOn(page)).toEqual([...past(10, 1), ...coming(1, 25)]);
    await later.waitFor({ state: 'detached' });
    await earlier.click();
    // a page that is still on its way is not asked for twice
    await expect.poll(() => namesOn(page)).toEqual([...past(20, 1), ...coming(1, 25)]);
    await earlier.click();
    await expect.poll(() => namesOn(page)).toEqual([...past(25, 1), ...coming(1, 25)]);
    await earlier.waitFor({ state: 'detached' });
    await expectAccessible(page);
  });

  it('filters by name and status', async () => {
    await show('coming 1');
    await expect.poll(() => namesOn(page)).toEqual(['Coming 1', ...coming(10, 18)]);
    await page.getByRole('button', { name: 'Later events' }).click();
    await expect.poll(() => namesOn(page)).toEqual(['Coming 1', ...coming(10, 19)]);
    await world.createEvent('Called off', 2).then((id) => ask(`PATCH /events/${id}`, { status: 2 }));
    await show('', { status: 'CANCELLED' });
    await expect.poll(() => namesOn(page)).toEqual(['Called off']);
    await show('past', { status: 'ACTIVE' });
    await page.getByText('No events from now on.').waitFor();
    await page.getByRole('button', { name: 'Earlier events' }).click();
    await expect.poll(() => namesOn(page)).toEqual(past(10, 1));
  });

  it('subscribes: what is expected is shown at once, and then confirmed', async () => {
    await world.createEvent('Bread', 1, { capacity: 3 });
    await show('bread');
    await says('Bread', '0 of 3 places taken');
    const release = await holdWrite('subscribeToEvent');
    await button('Bread', 'Subscribe').click();
    await says('Bread', 'You have a place.');
    await says('Bread', '1 of 3 places taken');
    expect(await itemOf(page, 'Bread').getAttribute('aria-busy')).toBe('true');
    await release();
    await expect.poll(() => itemOf(page, 'Bread').getAttribute('aria-busy')).toBe('false');
    await says('Bread', 'You have a place.');
    await page.reload();
    await show('bread');
    await says('Bread', '1 of 3 places taken');
    await says('Bread', 'You have a place.');
  });

  it('lists the events that I attend, and no longer those that I cancel', async () => {
    await show('', { attending: true });
    await expect.poll(() => namesOn(page)).toEqual(['Bread']);
    await button('Bread', 'Cancel').click();
    await expect.poll(() => namesOn(page)).toEqual([]);
    await show('bread');
    await says('Bread', '0 of 3 places taken');
    await button('Bread', 'Subscribe').waitFor();
  });

  it('takes the expected back if the service refuses, and says why', async () => {
    const event = await world.createEvent('Last place', 1, { capacity: 1, waiting_list: false });
    await show('last place');
    await says('Last place', '0 of 1 places taken');
    const release = await holdWrite('subscribeToEvent');
    await button('Last place', 'Subscribe').click();
    await says('Last place', 'You have a place.');
    await ask(`POST /events/${event}/subscriptions`);
    await release();
    await itemOf(page, 'Last place').getByRole('alert').getByText('The event has no free place.').waitFor();
    await expect.poll(() => itemOf(page, 'Last place').getByText('You have a place.').count()).toBe(0);
    await says('Last place', '1 of 1 places taken');
  });

  it('asks the questions of the form, as it is at that moment, and keeps the answers if they are refused', async () => {
    const event = await world.createEvent('Workshop', 1);
    await show('workshop');
    await button('Workshop', 'Subscribe').waitFor();
    await ask(`PUT /events/${event}/form`, { questions: everyQuestion });
    await button('Workshop', 'Subscribe').click();
    const item = itemOf(page, 'Workshop');
    await item.getByLabel('What do you bring?').fill('A pie');
    await item.getByLabel('How many people').fill('2');
    await item.getByLabel('When do you arrive?').fill('2031-05-24');
    await item.getByLabel('Which meal').selectOption('veg');
    await item.getByLabel('Bread').check();
    await item.getByLabel('Cheese').check();
    await item.getByLabel('Wine').check();
    await item.getByLabel('I have read the rules').check();
    await expectAccessible(page);
    await button('Workshop', 'Send answers').click();
    // at most two, and it says so there
    await item.getByRole('group', { name: 'Which talks' }).getByRole('alert').waitFor();
    expect(await item.getByRole('alert').count()).toBe(1);
    await item.getByLabel('Cheese').uncheck();
    await button('Workshop', 'Send answers').click();
    await says('Workshop', 'You have a place.');
    await expect.poll(() => item.getAttribute('aria-busy')).toBe('false');
    const { body } = await ask(`GET /events/${event}/subscriptions`);
    expect((body as unknown as { items: object[] }).items).toMatchObject([
      {
        answers: {
          dish: 'A pie',
          guests: 2,
          arrival: '2031-05-24',
          meal: 'veg',
          talks: ['bread', 'wine'],
          rules: true,
        },
      },
    ]);
    expect(await button('Workshop', 'Send answers').count()).toBe(0);
  });

  it('shows the other organization of whoever has two, and nothing of the first', async () => {
    const second = await joinSecond(server, world.email);
    await page.reload();
    await page.getByLabel('Organization').selectOption({ label: 'Second' });
    await expect.poll(() => namesOn(page)).toEqual([second]);
    await page.getByLabel('Organization').selectOption(world.organizationId);
    await expect.poll(() => namesOn(page)).toContain('Coming 1');
    expect(await namesOn(page)).not.toContain(second);
  });

  it('joins the waiting list of a full event, and hears of the place that becomes free', async () => {
    const event = await world.createEvent('Choir', 1, { capacity: 1 });
    const { body: taken } = await ask(`POST /events/${event}/subscriptions`);
    await show('choir');
    await button('Choir', 'Join the waiting list').click();
    await says('Choir', 'You are on the waiting list.');
    await expect.poll(() => itemOf(page, 'Choir').getAttribute('aria-busy')).toBe('false');
    await says('Choir', '1 of 1 places taken');
    await ask(`PATCH /events/${event}/subscriptions/${taken.id}`, { status: 'cancelled' });
    await says('Choir', 'You have a place.');
  });

  it('shows the answer, also if it is not what was expected', async () => {
    const event = await world.createEvent('Yoga', 1, { capacity: 1 });
    await show('yoga');
    const release = await holdWrite('subscribeToEvent');
    await button('Yoga', 'Subscribe').click();
    await says('Yoga', 'You have a place.');
    await ask(`POST /events/${event}/subscriptions`);
    await release();
    await says('Yoga', 'You are on the waiting list.');
  });

  it('follows what others do', async () => {
    await show('live');
    await page.getByText('No events from now on.').waitFor();
    const second = await world.createEvent('Live B', 2, { capacity: 5 });
    await expect.poll(() => namesOn(page)).toEqual(['Live B']);
    const first = await world.createEvent('Live A', 1);
    await expect.poll(() => namesOn(page)).toEqual(['Live A', 'Live B']);
    await ask(`PATCH /events/${first}`, { name: 'Live after all' });
    await expect.poll(() => namesOn(page)).toEqual(['Live after all', 'Live B']);
    await ask(`POST /events/${second}/subscriptions`);
    await says('Live B', '1 of 5 places taken');
    await ask(`PATCH /events/${first}`, { status: 0 });
    await expect.poll(() => namesOn(page)).toEqual(['Live B']);
  });

  it('moves an event that others move, and drops one that they take out of the filter', async () => {
    const first = await world.createEvent('Moving A', 1);
    const second = await world.createEvent('Moving B', 2);
    await world.createEvent('Moving C', 3);
    await show('moving', { status: 'ACTIVE' });
    await expect.poll(() => namesOn(page)).toEqual(['Moving A', 'Moving B', 'Moving C']);
    const at = (days: number, minutes = 0) => new Date(Date.now() + (days * 24 * 60 + minutes) * 60_000).toISOString();
    await ask(`PATCH /events/${first}`, { date_start: at(4), date_end: at(4, 60) });
    await expect.poll(() => namesOn(page)).toEqual(['Moving B', 'Moving C', 'Moving A']);
    await ask(`PATCH /events/${second}`, { status: 2 });
    await expect.poll(() => namesOn(page)).toEqual(['Moving C', 'Moving A']);
    // before what is shown
    await ask(`PATCH /events/${first}`, { date_start: at(-4), date_end: at(-4, 60) });
    await expect.poll(() => namesOn(page)).toEqual(['Moving C']);
  });

  it('shows when an event starts in its own time zone', async () => {
    const dates = { date_start: '2031-06-24T06:00:00Z', date_end: '2031-06-24T08:00:00Z' };
    await world.createEvent('Sunrise', 1, { ...dates, timezone: 'Pacific/Auckland' });
    await show('sunrise');
    await expect.poll(() => itemOf(page, 'Sunrise').getByRole('time').textContent()).toMatch(/6:00\sPM GMT\+12$/);
  });

  it('shows what changed while the list was being read', async () => {
    let answered = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // the response is from before the event
    await page.route('**/graphql', async (route) => {
      if (!/\bevents\(/.test(route.request().postData() ?? '')) return await route.continue();
      const response = await route.fetch();
      answered += 1;
      await released;
      await route.fulfill({ response });
    });
    await show('meanwhile');
    await expect.poll(() => answered).toBe(1);
    await world.createEvent('Meanwhile', 1);
    // the stream has it within a second
    await page.waitForTimeout(1_500);
    release();
    await expect.poll(() => namesOn(page)).toEqual(['Meanwhile']);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('opens the page of an event, with its description and what happens to it', async () => {
    const event = await world.createEvent('Detailed', 1, {
      description: 'Bring a spoon.',
      location: 'Kitchen',
      capacity: 9,
    });
    await show('detailed');
    await page.getByRole('link', { name: 'Detailed' }).click();
    await page.getByText('Bring a spoon.').waitFor();
    await page.getByText('Where: Kitchen').waitFor();
    // members see no subscribers
    expect(await page.getByRole('table').count()).toBe(0);
    await ask(`POST /events/${event}/subscriptions`);
    await says('Detailed', '1 of 9 places taken');
    await ask(`PATCH /events/${event}`, { description: 'Bring two spoons.' });
    await page.getByText('Bring two spoons.').waitFor();
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole('link', { name: 'All events' }).click();
    expect(await page.getByLabel('Name contains').inputValue()).toBe('detailed');
    await expect.poll(() => namesOn(page)).toEqual(['Detailed']);
  });

  it('shows managers the subscribers of an event, and who comes and goes', async () => {
    const event = await world.createEvent('Managed', 1);
    await world.createEvent('Other', 1).then((other) => ask(`POST /events/${other}/subscriptions`));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail address').fill(world.owner.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('listitem').first().waitFor();
    await show('managed');
    await page.getByRole('link', { name: 'Managed' }).click();
    await page.getByRole('table').waitFor();
    const rows = page.getByRole('table').getByRole('row');
    expect(await rows.count()).toBe(1);
    const { body } = await ask(`POST /events/${event}/subscriptions`);
    await expect.poll(() => rows.last().textContent()).toMatch(/accepted$/);
    await ask(`PATCH /events/${event}/subscriptions/${body.id}`, { status: 'cancelled' });
    await expect.poll(() => rows.last().textContent()).toMatch(/cancelled$/);
    expect(await rows.count()).toBe(2);
    await page.getByRole('link', { name: 'All events' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInOnPage(page, world.email);
  });

  it('misses nothing while its stream cannot be opened', async () => {
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('subscription ')) await route.abort();
      else await route.continue();
    });
    await page.reload();
    await show('broken');
    await page.getByText('No events from now on.').waitFor();
    await world.createEvent('Broken off', 1);
    await page.unrouteAll({ behavior: 'wait' });
    await expect.poll(() => namesOn(page)).toEqual(['Broken off']);
  });

  it('goes on from the cursor when a stream has ended', async () => {
    let streams = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('subscription ')) return await route.continue();
      streams += 1;
      if (streams > 1) return await route.continue();
      // as after 15 minutes, or when a process of the service stops
      const headers = {
        'content-type': 'text/event-stream',
        'access-control-allow-origin': new URL(url).origin,
        'access-control-allow-credentials': 'true',
      };
      await route.fulfill({ headers, body: 'event: complete\ndata:\n\n' });
    });
    await page.reload();
    await show('ended');
    await page.getByText('No events from now on.').waitFor();
    await world.createEvent('Ended and begun', 1);
    await expect.poll(() => namesOn(page)).toEqual(['Ended and begun']);
    expect(streams).toBe(2);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('signs out in all tabs, and says so when the service ends the session', async () => {
    const again = await page.context().newPage();
    await again.goto(url);
    await again.getByText('Signed in as Mia').waitFor();
    await again.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await again.close();
    await signInOnPage(page, world.email);
    const elsewhere = createClient({ url: server.url });
    await elsewhere.signIn({ email: world.email, password });
    await elsewhere.delete('/auth/sessions');
    // whichever tab hears it first tells the others
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('alert').waitFor();
    await signInOnPage(page, world.email);
  });
}
