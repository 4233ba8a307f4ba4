import { describe, expect, it } from 'vitest';
import { fetchPage, organizer, submitForm } from '../support/organizer.ts';
import { send } from '../support/send.ts';
import { serve } from '../support/server.ts';

const server = await serve();
const show = (path: string, init: RequestInit = {}) => fetchPage(server, path, init);

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
