import { randomUUIDv7 } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { readMarkdown } from '#safe-markdown';
import { openPage, sharedBrowser } from '../support/browser.ts';
import { countMails, guestAddress, guestOf, settleMails } from '../support/guests.ts';
import { fetchPage, organizer, submitForm } from '../support/organizer.ts';
import { rawRequest } from '../support/raw.ts';
import { serve } from '../support/server.ts';

const server = await serve();
const limited = await serve({ env: { RATE_LIMIT: 'on', TRUST_PROXY: 'true' } });
const browser = await sharedBrowser();

/** Texts that break out of elements, attributes, comments, URLs and JavaScript where nothing is escaped. */
const attacks = [
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus='alert(1)",
  '<!--<script>',
  '--><svg onload=alert(1)>',
  '</title></textarea></style><h1>x',
  'javascript:alert(1)',
  '\u2028alert(1)\u2029',
  '\u0024{alert(1)} &lt;b&gt; \\u003c \\"',
];

it.each(attacks)('a page shows %j as text wherever somebody wrote it', async (attack) => {
  const { event, ask, pathOf, list } = await organizer(server, `Org ${attack}`);
  const made = await event({ name: `Event ${attack}`, description: `About ${attack}`, location: `Place ${attack}` });
  const written = { key: 'text', type: 'text', label: `Label ${attack}`, help: `Help ${attack}` };
  const options = [{ value: attack, label: `Option ${attack}` }];
  const labelled = attack.includes('\u2028') ? [] : [written, { ...written, key: 'one', type: 'choice', options }];
  await ask(made, labelled);
  const answers = { name: `Name ${attack}`, email: attack, 'answers.text': attack.repeat(40), 'answers.one': attack };
  const page = (await fetchPage(server, pathOf(made))).text;
  const faulty = await submitForm(server, pathOf(made), answers);
  expect(faulty.status).toBe(422);
  for (const text of [page, faulty.text, (await fetchPage(server, list)).text]) {
    expect(text).not.toMatch(/<(img|svg)|<script>|<h1>x/);
  }
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
  expect(data).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(data)).toMatchObject({
    '@type': 'Event',
    name: `Event ${attack}`,
    description: readMarkdown(`About ${attack}`).plain,
    location: { name: `Place ${attack}` },
    organizer: { name: `Org ${attack}` },
    url: `http://events.test${pathOf(made)}`,
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: expect.stringMatching(/Z$/),
  });

  const { page: shown, complaints } = await openPage(browser, server.url + pathOf(made));
  expect(await shown.title()).toBe(`Event ${attack} – Org ${attack}`);
  expect(await shown.evaluate(() => document.querySelectorAll('script, img, svg, h1').length)).toBe(2);
  const tag = (property: string) => shown.locator(`meta[property="${property}"]`).getAttribute('content');
  expect(await tag('og:title')).toBe(`Event ${attack}`);
  expect(await tag('og:site_name')).toBe(`Org ${attack}`);
  expect(await tag('og:description')).toBe(readMarkdown(`About ${attack}`).plain.replace(/\s+/g, ' ').trim());
  expect(await tag('og:url')).toBe(`http://events.test${pathOf(made)}`);
  // the same in the form that comes back with its faults
  await shown.getByLabel('Your name').fill(answers.name);
  await shown.getByRole('button').click();
  await shown.getByRole('alert').waitFor();
  expect(await shown.getByLabel('Your name').inputValue()).toBe(answers.name);
  expect(await shown.evaluate(() => document.querySelectorAll('script, img, svg, h1').length)).toBe(2);
  expect(complaints).toEqual([expect.stringContaining('422')]);
});

it('a slug that was imported cannot add a header, nor lead elsewhere', async () => {
  const slugs = ['a\r\nset-cookie: x=1', '//evil.example', '..', 'https://evil.example', '?sent', '#', 'a"b', 'ü/%2e'];
  for (const slug of slugs) {
    const { event, list, pathOf } = await organizer(server);
    const made = await event({ slug: `plain-${randomUUIDv7()}` });
    await server.execute(
      'insert into event_slug (organization_id, slug, event_id) select organization_id, slug, id from event where id = ?',
      [made.id],
    );
    await server.execute('update event set slug = ? where id = ?', [slug, made.id]);
    const { status, headers } = await rawRequest(server.url + pathOf(made));
    expect([status, headers['set-cookie']], slug).toEqual([308, undefined]);
    expect(headers.location, slug).toBe(`${list}/${encodeURIComponent(slug)}`);
    const posted = await submitForm(server, pathOf({ slug }), { name: 'G', email: guestAddress() });
    // a client resolves dots before it asks
    if (slug === '..') continue;
    expect([posted.status, posted.headers.get('location')], slug).toEqual([303, `${pathOf({ slug })}?sent`]);
    const { page } = await openPage(browser, server.url + pathOf({ slug }));
    expect(await page.locator('form').evaluate((form: HTMLFormElement) => form.action)).toBe(
      `${server.url}${pathOf({ slug })}#outcome`,
    );
  }
});

it('a flood of fields, and fields that are doubled or malformed, are refused in words or left out', async () => {
  const { event, ask, pathOf } = await organizer(server);
  const made = await event();
  await ask(made, [{ key: 'a', type: 'text', label: 'A' }]);
  const post = (body: string) =>
    fetchPage(server, pathOf(made), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const good = `name=G&email=${guestAddress()}`;
  const bodies: [string, number][] = [
    ['&a'.repeat(400_000), 413],
    ['&a'.repeat(4_000), 422],
    [`${good}&__proto__=1&constructor=1&answers.__proto__=1&answers.other=1&answers=1`, 303],
    [`name=A&${good}`, 303],
    [`${good}&answers.a=%00`, 422],
    [`name=%00&email=${guestAddress()}`, 422],
    [`${good}&answers.a=%ff%fe`, 303],
    [`name=${'%F0%9F%92%A5'.repeat(201)}&email=${guestAddress()}`, 422],
    [`name=${'%F0%9F%92%A5'.repeat(200)}&email=${guestAddress()}`, 303],
    ['', 422],
  ];
  for (const [body, expected] of bodies)
    expect([body.slice(0, 60), (await post(body)).status]).toEqual([body.slice(0, 60), expected]);
});

it('questions that are named like what objects have are questions like all others', async () => {
  const { event, ask, pathOf, organizationId } = await organizer(server);
  const made = await event();
  await ask(made, [{ key: 'constructor', type: 'text', label: 'A' }]);
  expect((await fetchPage(server, pathOf(made))).text).toContain('name="answers.constructor" type="text" value=""');
  const guest = guestOf(server, organizationId);
  const email = guestAddress();
  expect((await submitForm(server, pathOf(made), { name: 'G', email })).status).toBe(303);
  await guest.confirm(await guest.mailed(email));
  const { text } = await fetchPage(server, `/my-subscription?token=${await guest.mailed(email, 2)}`);
  expect(text).toContain('name="answers.constructor" type="text" value=""');
});

it('a network that sends too many forms, or guesses too many links, is told so in words, or not at all', async () => {
  const { event, pathOf } = await organizer(limited);
  const path = pathOf(await event());
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const keys = (rule: 'guest_network' | 'token_network') => ({ rule, key: '203.0.113.7' });
  while (await limited.services.limits.tryTake(keys('guest_network')));
  while (await limited.services.limits.tryTake(keys('token_network')));
  const email = guestAddress();
  expect((await submitForm(limited, path, { name: 'G', email }, headers)).status).toBe(303);
  await settleMails(limited);
  expect(await countMails(limited, email)).toBe(0);
  for (const target of ['/confirm-subscription', '/my-subscription']) {
    for (const answer of [
      await fetchPage(limited, `${target}?token=x`, { headers }),
      await submitForm(limited, target, { token: 'x' }, headers),
    ]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.text).toContain('Please wait a moment');
    }
  }
});

it('a failure of ours is a page without a word of what failed, and names the request', async () => {
  const { list } = await organizer(server);
  const opening = vi.spyOn(server.services.cursors, 'bind').mockImplementation(() => {
    throw new Error('secret detail');
  });
  const { status, text, headers } = await fetchPage(server, `${list}?token=x`);
  opening.mockRestore();
  expect([status, headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
  expect(text).toContain(headers.get('x-request-id'));
  expect(text).not.toContain('secret detail');
  expect(server.logLines.join('')).toContain('secret detail');
});
