import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertOrganization } from '../support/fixtures.ts';
import { fetchPage, organizer, submitForm } from '../support/organizer.ts';
import { day, inDays } from '../support/public-world.ts';
import { send } from '../support/send.ts';
import { serve } from '../support/server.ts';

const server = await serve();
const show = (path: string, init: RequestInit = {}) => fetchPage(server, path, init);
const namesIn = (text: string) => [...text.matchAll(/<h3><a [^>]*>([^<]*)<\/a>/g)].map(([, name]) => name);
const linkIn = (text: string, rel: string) => new RegExp(`rel="${rel}" href="[^?"]*\\?([^"]*)"`).exec(text)?.[1];

describe('GET /o/{organization}', () => {
  it('lists the public events that are not over by start, the cancelled below those to come', async () => {
    const { event, list } = await organizer(server, 'The Bakers');
    await event({ name: 'Later', dateStart: inDays(9), location: 'Mill Lane 3', timezone: 'Europe/Berlin' });
    await event({ name: 'Running', dateStart: inDays(-1), dateEnd: inDays(1) });
    await event({ name: 'Called off', dateStart: inDays(5), status: 2 });
    await event({ name: 'Over', dateStart: inDays(-3), dateEnd: inDays(-1) });
    await event({ name: 'A draft', status: 0 });
    await event({ name: 'Archived', status: 3 });
    await event({ name: 'Internal', visibility: 'organization' });
    const { status, text } = await show(list);
    expect([status, namesIn(text)]).toEqual([200, ['Running', 'Later', 'Called off']]);
    expect(text).toContain('<h1 dir="auto">The Bakers</h1>');
    expect(text).toContain('Mill Lane 3');
    expect(text).toMatch(/Central European (Summer|Standard) Time \(Europe\/Berlin\)/);
    expect(text.match(/<span class="badge bad">Cancelled<\/span>/g)).toHaveLength(1);
    expect(text).toContain('<h2>Cancelled</h2>');
    expect(text).not.toContain('<form');
  });

  it('of more than 30 events can be searched by name and from a month on, page by page', async () => {
    const { event, list } = await organizer(server);
    const now = new Date();
    const start = (months: number, hours: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 15, hours));
    for (let index = 0; index < 30; index += 1) await event({ name: `Late ${index}`, dateStart: start(3, index) });
    expect((await show(list)).text).not.toContain('<form');
    await event({ name: 'Soirée', dateStart: start(2, 0) });
    const { text } = await show(list);
    expect(text).toContain('<form class="seek"');
    const found = await show(`${list}?${new URLSearchParams({ name: ' soirÉe ', month: '' })}`);
    expect(namesIn(found.text)).toEqual(['Soirée']);
    expect(found.text).toContain('value="soirÉe"');
    const month = start(3, 0).toISOString().slice(0, 7);
    const first = await show(`${list}?${new URLSearchParams({ name: 'late', month })}`);
    expect(first.text).toContain(`<option value="${month}" selected>`);
    const next = linkIn(first.text, 'next')?.replaceAll('&amp;', '&');
    const rest = await show(`${list}?${next}`);
    expect(namesIn(first.text).concat(namesIn(rest.text))).toHaveLength(30);
    const other = new URLSearchParams(next);
    other.set('name', 'soir');
    const refused = await show(`${list}?${other}`);
    expect([refused.status, refused.text.includes('href="?"')]).toEqual([400, true]);
    for (const name of ['nothing like it', '\0', 'x'.repeat(500)]) {
      const none = await show(`${list}?${new URLSearchParams({ name, month: '2031-13' })}`);
      expect([name, none.status]).toEqual([name, 200]);
    }
    expect((await show(`${list}?name=nothing+like+it`)).text).toContain('No event that is to come matches.');
  });

  it('is walked page by page in both directions, while time goes on', async () => {
    const { event, list } = await organizer(server);
    const names = Array.from({ length: 45 }, (_, index) => `Event ${String(index).padStart(2, '0')}`);
    for (const [index, name] of names.entries()) await event({ name, dateStart: inDays(1 + index) });
    const first = await show(list);
    expect(namesIn(first.text)).toEqual(names.slice(0, 20));
    expect(linkIn(first.text, 'prev')).toBeUndefined();
    const second = await show(`${list}?${linkIn(first.text, 'next')}`);
    expect(namesIn(second.text)).toEqual(names.slice(20, 40));
    const third = await show(`${list}?${linkIn(second.text, 'next')}`);
    expect(namesIn(third.text)).toEqual(names.slice(40));
    expect(linkIn(third.text, 'next')).toBeUndefined();
    const back = await show(`${list}?${linkIn(third.text, 'prev')}`);
    expect(namesIn(back.text)).toEqual(names.slice(20, 40));
    const bad = await show(`${list}?token=x`);
    expect([bad.status, bad.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  });

  it('groups events by month, names near days, and says a shared zone once', async () => {
    const { event, list } = await organizer(server);
    const at = { timezone: 'Asia/Tokyo' };
    const tokyoDay = (days: number) => new Date(Math.floor((Date.now() + 9 * 3_600_000) / day) * day + days * day);
    await event({ ...at, name: 'Now', dateStart: new Date(tokyoDay(1).getTime() - 9 * 3_600_000 - 1000) });
    await event({ ...at, name: 'Soon', dateStart: new Date(tokyoDay(1).getTime() - 9 * 3_600_000) });
    await event({ ...at, name: 'May', dateStart: new Date('2031-05-03T08:00:00Z') });
    const { text } = await show(list);
    const near = [...text.matchAll(/<strong>(Today|Tomorrow)<\/strong>/g)].map(([, word]) => word);
    expect(near).toEqual(['Today', 'Tomorrow']);
    expect(text).toContain('<h2>May 2031</h2>');
    expect(text).toContain('<div class="tile" aria-hidden="true"><span>May</span><b>3</b><span>Sat</span></div>');
    expect(text.match(/Japan Standard Time/g)).toHaveLength(1);
  });

  it('says so if nothing is planned', async () => {
    const { list } = await organizer(server);
    expect((await show(list)).text).toContain('No public events are planned at the moment.');
  });
});

it('an organization whose slug is in another script has pages', async () => {
  const { slug } = await insertOrganization(server.orm, { slug: `пекари-${randomUUIDv7()}`, name: 'Пекари' });
  expect((await show(`/o/${encodeURIComponent(slug)}`)).text).toContain('Пекари');
});

const profile = {
  description: 'Courses **at the harbour**.\n\n# Find us\n\n<b onclick="x()">Pier 3</b> [bad](javascript:alert(1))',
  website: 'https://example.org/?a="&b=<script>',
  contact_email: "o'neil+a&b@example.org",
  accent: '#0b6e4f',
};

async function place() {
  const made = await organizer(server, 'Harbour Arts');
  const event = await made.event();
  const say = (fields: object) => send(server, made.team.owner, 'PATCH /organization', fields);
  return { ...made, event, path: made.pathOf(event), say };
}

describe('what an organization says about itself', () => {
  it('is on the page of its events, as safe Markdown, with its site and its address', async () => {
    const { list, say } = await place();
    const bare = (await show(list)).text;
    expect(bare).not.toContain('mailto:');
    expect(bare).toContain('<meta name="description" content="Upcoming events of Harbour Arts.">');
    await say(profile);
    const { text } = await show(list);
    expect(text).toContain('<p dir="auto">Courses <strong>at the harbour</strong>.</p>');
    expect(text).toContain('<h2 dir="auto">Find us</h2>');
    expect(text).toContain('&lt;b onclick=&quot;x()&quot;&gt;Pier 3&lt;/b&gt; bad');
    expect(text).toContain(
      '<a href="https://example.org/?a=&quot;&amp;b=&lt;script&gt;" rel="nofollow noopener noreferrer ugc">example.org/?a=&quot;&amp;b=&lt;script&gt;</a>',
    );
    expect(text).toContain('<a href="mailto:o&#39;neil%2Ba%26b@example.org">o&#39;neil+a&amp;b@example.org</a>');
    expect(text).toContain('<meta name="description" content="Courses at the harbour. Find us');
  });

  it('is on the page of an event: the contact and the site beside its name, also for search engines', async () => {
    const { path, say } = await place();
    expect((await show(path)).text).toContain('<dt>Organizer</dt><dd dir="auto">Harbour Arts</dd>');
    await say(profile);
    const { text } = await show(path);
    const [, organizerFact = ''] = /<dt>Organizer<\/dt>(.*?)<\/dd>/.exec(text) ?? [];
    expect(organizerFact).toContain('Harbour Arts<br><a href="https://example.org/');
    expect(organizerFact).toContain('href="mailto:o&#39;neil%2Ba%26b@example.org"');
    const [, data = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(data).organizer).toMatchObject({
      ...{ name: 'Harbour Arts', sameAs: profile.website, email: profile.contact_email },
    });
    const sent = await submitForm(server, path, { name: 'Ada', email: 'ada@example.org', form_version: '0' });
    const { text: after } = await show(sent.headers.get('location') as string);
    expect(after).toContain('(<a href="mailto:o&#39;neil%2Ba%26b@example.org">');
  });

  it('colours its pages, in light and in dark, within a policy that allows this style alone', async () => {
    const { list, path, say } = await place();
    const stylesOf = (text: string) => [...text.matchAll(/<style>/g)].length;
    for (const page of [list, path, `${path}?sent`]) {
      await say({ accent: null });
      const plain = await show(page);
      expect(stylesOf(plain.text)).toBe(1);
      await say({ accent: profile.accent });
      const { text, headers } = await show(page);
      expect(stylesOf(text)).toBe(2);
      expect(text).toContain(':root { --accent: #0b6e4f; } @media (prefers-color-scheme: dark)');
      const allowed = /style-src ([^;]+)/.exec(headers.get('content-security-policy') ?? '')?.[1]?.split(' ');
      expect(allowed).toHaveLength(2);
      expect(plain.headers.get('content-security-policy')).toContain(`style-src ${allowed?.[0]};`);
    }
  });

  it.each(Object.entries(profile))(
    'gives pages and public lists another entity tag when its %s changes',
    async (name, value) => {
      const { list, path, say, organizationId, event } = await place();
      const headers = { 'x-organization-id': organizationId };
      const tags = async () =>
        await Promise.all(
          [list, path, '/public/events', `/public/events/${event.id}`].map(
            async (each) => (await show(each, { headers })).headers.get('etag') ?? '',
          ),
        );
      const before = await tags();
      expect(await tags()).toEqual(before);
      await say({ [name]: value });
      const after = await tags();
      for (const [index, tag] of after.entries()) expect(tag).not.toBe(before[index]);
      await say({ [name]: value });
      expect(await tags()).toEqual(after);
    },
  );
});
