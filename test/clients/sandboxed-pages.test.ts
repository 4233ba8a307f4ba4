import { expect, it } from 'vitest';
import { openPage, startBrowser } from '../support/browser.ts';
import { guestAddress } from '../support/guests.ts';
import { organizer } from '../support/organizer.ts';
import { serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = await serve();
const browser = await shared(startBrowser());
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
  await page.route('http://events.test/errors', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p id="p">no</p><script>p.textContent = "runs"</script>' }),
  );
  await page.getByRole('link', { name: 'Bread' }).click();
  await page.getByRole('heading', { name: 'Bread' }).waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Add to your calendar' }).click();
  expect((await downloading).suggestedFilename()).toBe(`${event.slug}.ics`);
  const opening = page.context().waitForEvent('page');
  await page
    .context()
    .route('http://events.test/errors', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p id="p">no</p><script>p.textContent = "runs"</script>' }),
    );
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
