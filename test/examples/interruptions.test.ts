import { describe, expect, it } from 'vitest';
import { type Breakable, startBreakable } from '../support/breakable.ts';
import { coming, namesOn, openedPage, pageExamples } from '../support/example-page.ts';

/** What has come to the page in streams. */
declare const streamed: string[];

function noteStreams() {
  const noted: string[] = [];
  Object.assign(globalThis, { streamed: noted });
  const plain = fetch;
  globalThis.fetch = async (...request) => {
    const response = await plain(...request);
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      const texts = response.clone().body?.pipeThrough(new TextDecoderStream());
      void texts?.pipeTo(new WritableStream({ write: (text) => void noted.push(text) })).catch(() => undefined);
    }
    return response;
  };
}

// what the pages show while the network or the service lets them down
describe.each(pageExamples)('examples/%s', (name) => {
  let network: Breakable;
  const { at, ask, show } = openedPage(name, async (url) => {
    network = await startBreakable(url);
    return network;
  });

  /** What asks for a page of events. */
  const asksForEvents = (body: string | null) => /\bevents\(/.test(body ?? '') && !body?.includes('subscription ');

  it.each([
    ['Later events', () => coming(1, 20)],
    ['Earlier events', () => [...Array.from({ length: 10 }, (_, index) => `Past ${10 - index}`), ...coming(1, 20)]],
  ])('keeps the list if the page of "%s" fails, says so, and tries again', async (label, expected) => {
    const before = await namesOn(at.page);
    const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
    await at.page.route('**/graphql', async (route) => {
      if (!asksForEvents(route.request().postData())) return await route.continue();
      await failed;
      const response = await route.fetch();
      const errors = [{ message: 'Something broke.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }];
      await route.fulfill({ response, json: { errors } });
    });
    await at.page.getByRole('button', { name: label }).click();
    const loading = at.page.getByRole('button', { name: 'Loading…' });
    await loading.waitFor();
    expect(await loading.getAttribute('aria-busy')).toBe('true');
    expect(await namesOn(at.page)).toEqual(before);
    fail();
    await at.page.getByRole('alert').getByText('Something broke.').waitFor();
    expect(await namesOn(at.page)).toEqual(before);
    await at.page.unrouteAll({ behavior: 'wait' });
    await at.page.getByRole('button', { name: `Try again: ${label.toLowerCase()}` }).click();
    await expect.poll(() => namesOn(at.page)).toEqual(expected());
    expect(await at.page.getByRole('alert').count()).toBe(0);
    await at.page.getByRole('button', { name: label }).waitFor();
  });

  it('keeps the list if the last events before an empty list cannot be read', async () => {
    await show('past');
    await at.page.getByText('No events from now on.').waitFor();
    await at.page.route('**/graphql', (route) =>
      asksForEvents(route.request().postData()) ? route.fulfill({ status: 500 }) : route.continue(),
    );
    await at.page.getByRole('button', { name: 'Earlier events' }).click();
    await at.page.getByRole('alert').waitFor();
    await at.page.getByText('No events from now on.').waitFor();
    await at.page.unrouteAll({ behavior: 'wait' });
    await at.page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => (await namesOn(at.page))[0]).toBe('Past 10');
    await show('');
  });

  it('keeps the list while the browser is offline, and shows what was missed when it is back', async () => {
    await at.page.reload();
    await expect.poll(() => namesOn(at.page)).toEqual(coming(1, 10));
    const renamed = await at.world.createEvent('Known before', 0.5);
    await expect.poll(() => namesOn(at.page)).toContain('Known before');
    // the browser itself leaves a stream open that it has
    await Promise.all([at.page.context().setOffline(true), network.cut()]);
    await at.page.getByRole('button', { name: 'Later events' }).click();
    await at.page.getByRole('button', { name: 'Loading…' }).waitFor();
    await at.world.createEvent('Made meanwhile', 0.6);
    await ask(`PATCH /events/${renamed}`, { name: 'Renamed meanwhile' });
    expect(await namesOn(at.page)).toEqual(['Known before', ...coming(1, 10)]);
    const streams = at.page.waitForRequest((request) => request.postData()?.includes('subscription ') ?? false);
    await network.mend();
    await at.page.context().setOffline(false);
    await streams;
    await expect.poll(() => namesOn(at.page)).toEqual(['Renamed meanwhile', 'Made meanwhile', ...coming(1, 20)]);
    expect(await at.page.getByRole('alert').count()).toBe(0);
    // live again
    await at.world.createEvent('Made afterwards', 0.7);
    await expect.poll(async () => (await namesOn(at.page))[2]).toBe('Made afterwards');
  });

  it('shows no earlier state of what changed while its page was on its way, and brings nothing back', async () => {
    await at.page.addInitScript(noteStreams);
    await at.page.reload();
    const rows = Array.from({ length: 12 }, (_, index) => `Row ${index + 1}`);
    const ids = await Promise.all(rows.map((row, index) => at.world.createEvent(row, 1 + index / 100)));
    await show('row');
    await expect.poll(() => namesOn(at.page)).toEqual(rows.slice(0, 10));
    await at.page.getByText('Events in all: 12').waitFor();
    await at.page.evaluate(() => {
      const shown = new Set<string>();
      const note = () => {
        for (const { textContent } of document.querySelectorAll('h2')) shown.add(textContent);
      };
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
      Object.assign(globalThis, { shown });
    });
    let answered = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await at.page.route('**/graphql', async (route) => {
      if (!asksForEvents(route.request().postData())) return await route.continue();
      const response = await route.fetch();
      answered += 1;
      await released;
      await route.fulfill({ response });
    });
    await at.page.getByRole('button', { name: 'Later events' }).click();
    await expect.poll(() => answered).toBe(1);
    await ask(`PATCH /events/${ids[10]}`, { name: 'Row of oars' });
    await ask(`PATCH /events/${ids[11]}`, { status: 0 });
    await at.world.createEvent('Row made last', 0.9);
    await at.page.waitForFunction(() => streamed.some((text) => text.includes('Row made last')));
    release();
    await expect.poll(() => namesOn(at.page)).toEqual(['Row made last', ...rows.slice(0, 10), 'Row of oars']);
    const shown = await at.page.evaluate(() => [...(globalThis as unknown as { shown: Set<string> }).shown]);
    expect(shown).toContain('Row of oars');
    expect(shown).not.toContain('Row 11');
    expect(shown).not.toContain('Row 12');
    await at.page.unrouteAll({ behavior: 'wait' });
    await at.page.getByText('Events in all: 12').waitFor();
  });

  it('counts the events of the filter, as others add and take them', async () => {
    const total = (count: number) => at.page.getByText(`Events in all: ${count}`, { exact: true }).waitFor();
    const [first] = await Promise.all(
      Array.from({ length: 12 }, (_, index) => at.world.createEvent(`Sum ${index + 1}`, 1 + index / 100)),
    );
    // a page that has an event before its change has come would count it twice
    await at.page.waitForFunction(() => new Set(streamed.join('').match(/Sum \d+/g)).size === 12);
    await show('sum');
    await total(12);
    await at.world.createEvent('Sum in view', 0.9);
    await total(13);
    const beyond = await at.world.createEvent('Sum beyond the page', 3);
    await total(14);
    await ask(`PATCH /events/${beyond}`, { name: 'Sum still beyond it' });
    await ask(`PATCH /events/${first}`, { name: 'Difference' });
    await total(13);
    await ask(`PATCH /events/${first}`, { name: 'Sum again' });
    await total(14);
    await at.page.getByRole('button', { name: 'Later events' }).click();
    await expect.poll(async () => (await namesOn(at.page)).at(-1)).toBe('Sum still beyond it');
    await ask(`PATCH /events/${beyond}`, { status: 0 });
    await total(13);
    await show('no such name');
    await total(0);
    await show('sum');
    await total(13);
  });
});
