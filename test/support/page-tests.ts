import { expect, it } from 'vitest';
import { expectAccessible } from './browser.ts';
import { coming, itemOf, joinSecond, namesOn, openedPage, type PageExample, signInOnPage } from './example-page.ts';
import { everyQuestion } from './organizer.ts';
import { testFollowing } from './page-following.ts';

const past = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => `Past ${from - index}`);

/** What each of the three pages does. */
export function testPage(name: PageExample): void {
  const opened = openedPage(name);
  const { at, ask, button, says, holdWrite, show } = opened;

  it('goes on from the cookie when it is loaded again, and keeps the token out of the storage', async () => {
    const again = await at.page.context().newPage();
    await again.goto(at.url);
    await again.getByText('Signed in as Mia').waitFor();
    const stored = await again.evaluate(() => Object.values({ ...localStorage, ...sessionStorage }));
    expect(stored).toEqual([at.world.organizationId]);
    await again.getByRole('button', { name: 'Sign out' }).click();
    await again.getByLabel('Password').fill('a wrong password');
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.getByRole('alert').waitFor();
    await signInOnPage(again, at.world.email);
    await at.page.reload();
    await at.page.getByText('Signed in as Mia').waitFor();
  });

  it('walks the events both ways, from now on', async () => {
    await expect.poll(() => namesOn(at.page)).toEqual(coming(1, 10));
    const earlier = at.page.getByRole('button', { name: 'Earlier events' });
    const later = at.page.getByRole('button', { name: 'Later events' });
    await earlier.click();
    await expect.poll(() => namesOn(at.page)).toEqual([...past(10, 1), ...coming(1, 10)]);
    await later.click();
    await expect.poll(() => namesOn(at.page)).toEqual([...past(10, 1), ...coming(1, 20)]);
    await later.click();
    await expect.poll(() => namesOn(at.page)).toEqual([...past(10, 1), ...coming(1, 25)]);
    await later.waitFor({ state: 'detached' });
    await earlier.click();
    // a page that is still on its way is not asked for twice
    await expect.poll(() => namesOn(at.page)).toEqual([...past(20, 1), ...coming(1, 25)]);
    await earlier.click();
    await expect.poll(() => namesOn(at.page)).toEqual([...past(25, 1), ...coming(1, 25)]);
    await earlier.waitFor({ state: 'detached' });
    await expectAccessible(at.page);
  });

  it('filters by name and status', async () => {
    await show('coming 1');
    await expect.poll(() => namesOn(at.page)).toEqual(['Coming 1', ...coming(10, 18)]);
    await at.page.getByRole('button', { name: 'Later events' }).click();
    await expect.poll(() => namesOn(at.page)).toEqual(['Coming 1', ...coming(10, 19)]);
    await at.world.createEvent('Called off', 2).then((id) => ask(`PATCH /events/${id}`, { status: 2 }));
    await show('', { status: 'CANCELLED' });
    await expect.poll(() => namesOn(at.page)).toEqual(['Called off']);
    await show('past', { status: 'ACTIVE' });
    await at.page.getByText('No events from now on.').waitFor();
    await at.page.getByRole('button', { name: 'Earlier events' }).click();
    await expect.poll(() => namesOn(at.page)).toEqual(past(10, 1));
  });

  it('subscribes: what is expected is shown at once, and then confirmed', async () => {
    await at.world.createEvent('Bread', 1, { capacity: 3 });
    await show('bread');
    await says('Bread', '0 of 3 places taken');
    const release = await holdWrite('subscribeToEvent');
    await button('Bread', 'Subscribe').click();
    await says('Bread', 'You have a place.');
    await says('Bread', '1 of 3 places taken');
    expect(await itemOf(at.page, 'Bread').getAttribute('aria-busy')).toBe('true');
    await release();
    await expect.poll(() => itemOf(at.page, 'Bread').getAttribute('aria-busy')).toBe('false');
    await says('Bread', 'You have a place.');
    await at.page.reload();
    await show('bread');
    await says('Bread', '1 of 3 places taken');
    await says('Bread', 'You have a place.');
  });

  it('lists the events that I attend, and no longer those that I cancel', async () => {
    await show('', { attending: true });
    await expect.poll(() => namesOn(at.page)).toEqual(['Bread']);
    await button('Bread', 'Cancel').click();
    await expect.poll(() => namesOn(at.page)).toEqual([]);
    await show('bread');
    await says('Bread', '0 of 3 places taken');
    await button('Bread', 'Subscribe').waitFor();
  });

  it('takes the expected back if the service refuses, and says why', async () => {
    const event = await at.world.createEvent('Last place', 1, { capacity: 1, waiting_list: false });
    await show('last place');
    await says('Last place', '0 of 1 places taken');
    const release = await holdWrite('subscribeToEvent');
    await button('Last place', 'Subscribe').click();
    await says('Last place', 'You have a place.');
    await ask(`POST /events/${event}/subscriptions`);
    await release();
    await itemOf(at.page, 'Last place').getByRole('alert').getByText('The event has no free place.').waitFor();
    await expect.poll(() => itemOf(at.page, 'Last place').getByText('You have a place.').count()).toBe(0);
    await says('Last place', '1 of 1 places taken');
  });

  it('asks the questions of the form, as it is at that moment, and keeps the answers if they are refused', async () => {
    const event = await at.world.createEvent('Workshop', 1);
    await show('workshop');
    await button('Workshop', 'Subscribe').waitFor();
    await ask(`PUT /events/${event}/form`, { questions: everyQuestion });
    await button('Workshop', 'Subscribe').click();
    const item = itemOf(at.page, 'Workshop');
    await item.getByLabel('What do you bring?').fill('A pie');
    await item.getByLabel('How many people').fill('2');
    await item.getByLabel('When do you arrive?').fill('2031-05-24');
    await item.getByLabel('Which meal').selectOption('veg');
    await item.getByLabel('Bread').check();
    await item.getByLabel('Cheese').check();
    await item.getByLabel('Wine').check();
    await item.getByLabel('I have read the rules').check();
    await expectAccessible(at.page);
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

  it('shows the other organization of whoever has two, also when it is loaded again, until they sign out', async () => {
    const second = await joinSecond(at.server, at.world.email);
    const choose = (label: string) => at.page.getByLabel('Organization').selectOption({ label });
    await at.page.reload();
    await choose('Second');
    await expect.poll(() => namesOn(at.page)).toEqual([second]);
    await at.page.reload();
    await expect.poll(() => namesOn(at.page)).toEqual([second]);
    const other = await at.page.context().newPage();
    await other.goto(at.url);
    await expect.poll(() => namesOn(other)).toEqual([second]);
    await other.getByLabel('Organization').selectOption(at.world.organizationId);
    await expect.poll(() => namesOn(other)).toContain('Coming 1');
    // each tab has its own
    await at.page.reload();
    await expect.poll(() => namesOn(at.page)).toEqual([second]);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await at.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.close();
    expect(await at.page.evaluate(() => ({ ...localStorage, ...sessionStorage }))).toEqual({});
    await signInOnPage(at.page, at.world.email);
    await expect.poll(() => namesOn(at.page)).toContain('Coming 1');
    await choose('Second');
    await expect.poll(() => namesOn(at.page)).toEqual([second]);
    await at.page.getByLabel('Organization').selectOption(at.world.organizationId);
    await expect.poll(() => namesOn(at.page)).toContain('Coming 1');
    expect(await namesOn(at.page)).not.toContain(second);
  });

  it('joins the waiting list of a full event, and hears of the place that becomes free', async () => {
    const event = await at.world.createEvent('Choir', 1, { capacity: 1 });
    const { body: taken } = await ask(`POST /events/${event}/subscriptions`);
    await show('choir');
    await button('Choir', 'Join the waiting list').click();
    await says('Choir', 'You are on the waiting list.');
    await expect.poll(() => itemOf(at.page, 'Choir').getAttribute('aria-busy')).toBe('false');
    await says('Choir', '1 of 1 places taken');
    await ask(`PATCH /events/${event}/subscriptions/${taken.id}`, { status: 'cancelled' });
    await says('Choir', 'You have a place.');
  });

  it('shows the answer, also if it is not what was expected', async () => {
    const event = await at.world.createEvent('Yoga', 1, { capacity: 1 });
    await show('yoga');
    const release = await holdWrite('subscribeToEvent');
    await button('Yoga', 'Subscribe').click();
    await says('Yoga', 'You have a place.');
    await ask(`POST /events/${event}/subscriptions`);
    await release();
    await says('Yoga', 'You are on the waiting list.');
  });

  testFollowing(opened);
}
