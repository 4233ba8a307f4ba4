import { expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { expectAccessible, expectFits } from './browser.ts';
import { itemOf, namesOn, type OpenedPage, signInOnPage } from './example-page.ts';
import { password } from './fixtures.ts';

/** What each of the pages does while others write, streams end, and sessions begin and end. */
export function testFollowing({ at, ask, says, show }: OpenedPage): void {
  it('follows what others do', async () => {
    await show('live');
    await at.page.getByText('No events from now on.').waitFor();
    const second = await at.world.createEvent('Live B', 2, { capacity: 5 });
    await expect.poll(() => namesOn(at.page)).toEqual(['Live B']);
    const first = await at.world.createEvent('Live A', 1);
    await expect.poll(() => namesOn(at.page)).toEqual(['Live A', 'Live B']);
    await ask(`PATCH /events/${first}`, { name: 'Live after all' });
    await expect.poll(() => namesOn(at.page)).toEqual(['Live after all', 'Live B']);
    await ask(`POST /events/${second}/subscriptions`);
    await says('Live B', '1 of 5 places taken');
    await ask(`PATCH /events/${first}`, { status: 0 });
    await expect.poll(() => namesOn(at.page)).toEqual(['Live B']);
  });

  it('moves an event that others move, and drops one that they take out of the filter', async () => {
    const first = await at.world.createEvent('Moving A', 1);
    const second = await at.world.createEvent('Moving B', 2);
    await at.world.createEvent('Moving C', 3);
    await show('moving', { status: 'ACTIVE' });
    await expect.poll(() => namesOn(at.page)).toEqual(['Moving A', 'Moving B', 'Moving C']);
    const inDays = (days: number, minutes = 0) =>
      new Date(Date.now() + (days * 24 * 60 + minutes) * 60_000).toISOString();
    await ask(`PATCH /events/${first}`, { date_start: inDays(4), date_end: inDays(4, 60) });
    await expect.poll(() => namesOn(at.page)).toEqual(['Moving B', 'Moving C', 'Moving A']);
    await ask(`PATCH /events/${second}`, { status: 2 });
    await expect.poll(() => namesOn(at.page)).toEqual(['Moving C', 'Moving A']);
    // before what is shown
    await ask(`PATCH /events/${first}`, { date_start: inDays(-4), date_end: inDays(-4, 60) });
    await expect.poll(() => namesOn(at.page)).toEqual(['Moving C']);
  });

  it('shows when an event starts in its own time zone', async () => {
    const dates = { date_start: '2031-06-24T06:00:00Z', date_end: '2031-06-24T08:00:00Z' };
    await at.world.createEvent('Sunrise', 1, { ...dates, timezone: 'Pacific/Auckland' });
    await show('sunrise');
    await expect.poll(() => itemOf(at.page, 'Sunrise').getByRole('time').textContent()).toMatch(/6:00\sPM GMT\+12$/);
  });

  it('shows what changed while the list was being read', async () => {
    let answered = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    // the response is from before the event
    await at.page.route('**/graphql', async (route) => {
      if (!/\bevents\(/.test(route.request().postData() ?? '')) return await route.continue();
      const response = await route.fetch();
      answered += 1;
      await released;
      await route.fulfill({ response });
    });
    await show('meanwhile');
    await expect.poll(() => answered).toBe(1);
    await at.world.createEvent('Meanwhile', 1);
    // the stream has it within a second
    await at.page.waitForTimeout(1_500);
    release();
    await expect.poll(() => namesOn(at.page)).toEqual(['Meanwhile']);
    await at.page.unrouteAll({ behavior: 'wait' });
  });

  it('opens the page of an event, with its description and what happens to it', async () => {
    const event = await at.world.createEvent('Detailed', 1, {
      description: 'Bring a spoon.',
      location: 'Kitchen',
      capacity: 9,
    });
    await show('detailed');
    await at.page.getByRole('link', { name: 'Detailed' }).click();
    await at.page.getByText('Bring a spoon.').waitFor();
    await at.page.getByText('Where: Kitchen').waitFor();
    expect(await at.page.getByRole('link', { name: 'Detailed' }).count()).toBe(0);
    // members see no subscribers
    expect(await at.page.getByRole('table').count()).toBe(0);
    await ask(`POST /events/${event}/subscriptions`);
    await says('Detailed', '1 of 9 places taken');
    await ask(`PATCH /events/${event}`, { description: 'Bring two spoons.' });
    await at.page.getByText('Bring two spoons.').waitFor();
    await expectAccessible(at.page);
    await expectFits(at.page);
    await at.page.getByRole('link', { name: 'All events' }).click();
    expect(await at.page.getByLabel('Name contains').inputValue()).toBe('detailed');
    await expect.poll(() => namesOn(at.page)).toEqual(['Detailed']);
  });

  it('shows managers the subscribers of an event, and who comes and goes', async () => {
    const event = await at.world.createEvent('Managed', 1);
    await at.world.createEvent('Other', 1).then((other) => ask(`POST /events/${other}/subscriptions`));
    await at.page.getByRole('button', { name: 'Sign out' }).click();
    await at.page.getByLabel('E-mail address').fill(at.world.owner.email);
    await at.page.getByLabel('Password').fill(password);
    await at.page.getByRole('button', { name: 'Sign in' }).click();
    await at.page.getByRole('listitem').first().waitFor();
    await show('managed');
    await at.page.getByRole('link', { name: 'Managed' }).click();
    await at.page.getByText('Nobody has subscribed yet.').waitFor();
    const rows = at.page.getByRole('table').getByRole('row');
    expect(await rows.count()).toBe(0);
    const { body } = await ask(`POST /events/${event}/subscriptions`);
    await expect.poll(() => rows.last().textContent()).toMatch(/accepted$/);
    await ask(`PATCH /events/${event}/subscriptions/${body.id}`, { status: 'cancelled' });
    await expect.poll(() => rows.last().textContent()).toMatch(/cancelled$/);
    expect(await rows.count()).toBe(2);
    await at.page.getByRole('link', { name: 'All events' }).click();
    await at.page.getByRole('button', { name: 'Sign out' }).click();
    await signInOnPage(at.page, at.world.email);
  });

  it('signs out in all tabs, and says so when the service ends the session', async () => {
    const again = await at.page.context().newPage();
    await again.goto(at.url);
    await again.getByText('Signed in as Mia').waitFor();
    await again.getByRole('button', { name: 'Sign out' }).click();
    await at.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await at.page.getByRole('alert').count()).toBe(0);
    await again.close();
    await signInOnPage(at.page, at.world.email);
    const elsewhere = createClient({ url: at.server.url });
    await elsewhere.signIn({ email: at.world.email, password });
    await elsewhere.delete('/auth/sessions');
    // whichever tab hears it first tells the others
    await at.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await at.page.getByRole('alert').waitFor();
    await signInOnPage(at.page, at.world.email);
  });
}
