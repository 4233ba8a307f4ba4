import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { guestAddress } from '../support/guests.ts';
import { everyQuestion, fetchPage, organizer, submitForm } from '../support/organizer.ts';
import { doors } from '../support/public-world.ts';
import { serve } from '../support/server.ts';

const server = await serve();
const show = (path: string, init: RequestInit = {}) => fetchPage(server, path, init);

describe('GET /o/{organization}/{event}', () => {
  it('says what, when in words and in the zone of the event, where, and how many places are left', async () => {
    const { event, pathOf } = await organizer(server, 'The Bakers');
    const made = await event({
      name: 'Bread & butter',
      description: 'First <b>paragraph</b>\nits second line\r\n\r\nSecond paragraph',
      dateStart: new Date('2031-05-03T08:00:00Z'),
      dateEnd: new Date('2031-05-03T12:00:00Z'),
      timezone: 'Europe/Berlin',
      location: 'Mill Lane 3',
      capacity: 3,
      accepted: 2,
    });
    const { status, text } = await show(pathOf(made));
    expect(status).toBe(200);
    expect(text).toContain('<title>Bread &amp; butter – The Bakers</title>');
    expect(text).toContain('<h1 dir="auto">Bread &amp; butter</h1>');
    expect(text).toContain('<time datetime="2031-05-03T08:00:00.000Z">Saturday, 3 May 2031, 10:00–14:00</time>');
    expect(text).toContain('Central European Summer Time (Europe/Berlin)');
    expect(text).toContain('Mill Lane 3');
    expect(text).toContain('1 place is left.');
    expect(text).toContain(
      '<p dir="auto">First &lt;b&gt;paragraph&lt;/b&gt;<br>\nits second line</p>\n<p dir="auto">Second paragraph</p>',
    );
    expect(text).toContain(`href="${made.slug}.ics"`);
  });

  it('can be added to calendars on the web, found on a map, and shared without a third party', async () => {
    const { event, pathOf } = await organizer(server);
    const made = await event({
      name: 'Bread & butter',
      description: '**Bring** a bowl',
      dateStart: new Date('2031-05-03T08:00:00Z'),
      dateEnd: new Date('2031-05-03T12:00:00Z'),
      timezone: 'Europe/Berlin',
      location: 'Mill Lane 3',
    });
    const { text } = await show(pathOf(made));
    const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    const to = (start: string) => new URL(links.find((href) => href.startsWith(start)) as string);
    expect(Object.fromEntries(to('https://calendar.google.com/').searchParams)).toEqual({
      action: 'TEMPLATE',
      text: 'Bread & butter',
      dates: '20310503T080000Z/20310503T120000Z',
      ctz: 'Europe/Berlin',
      details: expect.stringMatching(/^Bring a bowl\n\nhttp\S+$/),
      location: 'Mill Lane 3',
    });
    expect(to('https://outlook.live.com/').searchParams.get('startdt')).toBe('2031-05-03T08:00:00.000Z');
    expect(to('webcal:').pathname).toBe(`${pathOf(made)}.ics`);
    expect(to('https://www.openstreetmap.org/').searchParams.get('query')).toBe('Mill Lane 3');
    expect(to('mailto:').searchParams.get('subject')).toBe('Bread & butter');
    expect(text.match(/rel="nofollow noopener"/g)).toHaveLength(4);
    const online = await show(pathOf(await event({ location: 'Online' })));
    expect(online.text).not.toContain('openstreetmap');
  });

  it.each(doors)('of an event %s has a form if, and only if, a subscription would be taken', async (_, input, door) => {
    const { event, pathOf } = await organizer(server);
    const { text } = await show(pathOf(await event(input)));
    const words = {
      open: 'place',
      approval: 'organizer decides',
      waiting_list: 'waiting list',
      full: 'All places are taken.',
    };
    if (door === 'closed')
      expect(text).toMatch(/Closed: the (event is over|event is cancelled|organizer is not taking sub)/);
    else expect(text).toContain(words[door as keyof typeof words]);
    expect(text.includes('<form')).toBe(door !== 'closed' && door !== 'full');
  });

  it('of a cancelled event offers no calendar', async () => {
    const { event, pathOf } = await organizer(server);
    for (const status of [1, 2]) {
      const { text } = await show(pathOf(await event({ status })));
      for (const link of ['Add to your calendar', 'Google Calendar', 'webcal:', '.ics']) {
        expect([status, link, text.includes(link)]).toEqual([status, link, status === 1]);
      }
    }
  });

  it('has a field for every question, with its label, help and bounds', async () => {
    const { event, ask, pathOf } = await organizer(server);
    const made = await event();
    await ask(made, everyQuestion);
    const { text } = await show(pathOf(made));
    for (const { label } of everyQuestion) expect(text).toContain(label);
    expect(text).toContain('A dish for six people.\nAt most 40 characters.');
    expect(text).toContain('From 0 to 5.');
    expect(text).toContain('Choose at most 2 options.');
    expect(text).toContain('<input type="hidden" name="form_version" value="1">');
    for (const type of ['date', 'email', 'url', 'radio', 'checkbox']) expect(text).toContain(`type="${type}"`);
  });

  it('keeps the direction of a label from what stands beside it', async () => {
    const { event, ask, pathOf } = await organizer(server);
    const made = await event();
    const label = '\u202eطعام';
    const options = [{ value: 'a', label: 'A' }];
    await ask(made, [
      { key: 'text', type: 'text', label },
      { key: 'options', type: 'choices', label, options },
      { key: 'consent', type: 'consent', label },
    ]);
    const { text } = await show(pathOf(made));
    expect(text.split(`<bdi>${label}</bdi> <span class="soft">(optional)</span>`)).toHaveLength(4);
  });

  it('answers 308 for a former slug, whatever the method, and keeps no other name', async () => {
    const { event, patch, pathOf, list } = await organizer(server);
    const made = await event();
    await patch(made, { slug: 'newer' });
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await show(pathOf(made), { method });
      expect([method, status, headers.get('location')]).toEqual([method, 308, `${list}/newer`]);
    }
    const posted = await submitForm(server, pathOf(made), { name: 'G', email: guestAddress() });
    expect([posted.status, posted.headers.get('location')]).toEqual([308, `${list}/newer`]);
    // a browser that kept it for good would never see another event that gets the slug
    expect(posted.headers.get('cache-control')).toBe('public, max-age=30');
    expect((await show(`${list}/newer`)).status).toBe(200);
    expect((await show(`${list}/${made.id}`)).status).toBe(404);
  });

  it('is a 404 page for all that is not public, the same for each, with a way back to the list', async () => {
    const { event, pathOf, list } = await organizer(server);
    const { event: theirs, pathOf: pathOfTheirs } = await organizer(server);
    const elsewhere = await theirs();
    expect((await show(pathOfTheirs(elsewhere))).status).toBe(200);
    const inputs = [{ status: 0 }, { status: 3 }, { visibility: 'organization' }] as const;
    const hidden = await Promise.all(inputs.map((input) => event(input)));
    const paths = [
      ...hidden.map(pathOf),
      pathOf(elsewhere),
      `${list}/nothing`,
      `${list}/`,
      `${list}/%00`,
      `${list}/%ff`,
      `${list}/a/b`,
      `${list}/${'x'.repeat(3000)}`,
      '/o',
      '/o/',
      '/o/%00',
      '/o/%ff/x',
      `/o/organization-${randomUUIDv7()}`,
      `/o/organization-${randomUUIDv7()}/event`,
    ];
    const bodies = new Set<string>();
    for (const path of paths) {
      for (const init of [{}, { method: 'POST', body: new URLSearchParams({ name: 'G', email: guestAddress() }) }]) {
        const isList = path.split('/').length === 3;
        if (init.method === 'POST' && isList) continue;
        const { status, text, headers } = await show(path, init);
        expect([path, status], init.method).toEqual([path, 404]);
        expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('content-security-policy')).toContain("default-src 'none'");
        const way = /<p><a href="((?:\.\.\/)+[^"]*)">See all events of this organizer<\/a><\/p>/.exec(text);
        expect(way !== null, path).toBe(path.split('/').length > 3 && path !== '/o/');
        if (way) expect(new URL(way[1] as string, server.url + path).pathname).toBe(path.split('/', 3).join('/'));
        bodies.add(text.replace(way?.[0] ?? '', ''));
      }
    }
    expect(bodies.size).toBe(1);
  });

  it('takes no other methods', async () => {
    const { event, pathOf, list } = await organizer(server);
    const path = pathOf(await event());
    for (const [target, allow, methods] of [
      [list, 'GET, HEAD', ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']],
      [path, 'GET, HEAD, POST', ['PUT', 'DELETE', 'PATCH', 'OPTIONS']],
    ] as const) {
      for (const method of methods) {
        const { status, headers } = await show(target, { method });
        expect([method, status, headers.get('allow')]).toEqual([method, 405, allow]);
      }
      const head = await show(target, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000);
    }
  });
});
