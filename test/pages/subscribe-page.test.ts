import { describe, expect, it } from 'vitest';
import { countMails, guestAddress, guestOf, mailsTo, settleMails } from '../support/guests.ts';
import { everyAnswer, everyQuestion, fetchPage, organizer, submitForm } from '../support/organizer.ts';
import { serve } from '../support/server.ts';
import { countStatements } from '../support/statements.ts';

const server = await serve();
const show = (path: string, init: RequestInit = {}) => fetchPage(server, path, init);

describe('POST /o/{organization}/{event}', () => {
  it('sends the mail that confirms, and leads to a page that can be reloaded', async () => {
    const { event, ask, pathOf, organizationId } = await organizer(server);
    const made = await event();
    await ask(made, everyQuestion);
    const email = guestAddress();
    const fields: [string, string][] = [
      ['name', 'Grace'],
      ['email', ` ${email} `],
      ['form_version', '1'],
      ...everyAnswer,
    ];
    const { status, headers } = await submitForm(server, pathOf(made), fields);
    expect([status, headers.get('location')]).toEqual([303, `${pathOf(made)}?sent`]);
    await mailsTo(server, email);
    for (let index = 0; index < 2; index += 1) {
      const sent = await show(`${pathOf(made)}?sent`);
      expect(sent.status).toBe(200);
      expect(sent.text).toContain('>Check your inbox</h1>');
      expect(sent.text).toContain('If no mail arrives');
      expect(sent.text).not.toContain(email);
    }
    await settleMails(server);
    expect(await countMails(server, email)).toBe(1);
    const guest = guestOf(server, organizationId);
    await guest.confirm(await guest.mailed(email));
    const { body } = await guest.lookup(await guest.mailed(email, 2));
    expect(body.answers).toEqual({
      dish: 'A pie',
      story: 'First line\nsecond line',
      guests: 2,
      arrival: '2031-05-24',
      meal: 'veg',
      talks: ['bread', 'wine'],
      rules: true,
      second: 'second@example.org',
      site: 'https://example.org/me',
    });
  });

  it('shows every fault beside its field, and keeps what was typed', async () => {
    const { event, ask, pathOf } = await organizer(server);
    const made = await event();
    await ask(made, everyQuestion);
    const typed: [string, string][] = [
      ['name', ' '],
      ['email', 'nobody"'],
      ['answers.dish', 'x'.repeat(41)],
      ['answers.story', 'A <story>\r\n'],
      ['answers.guests', 'two'],
      ['answers.arrival', '2031-06-01'],
      ['answers.talks', 'bread'],
      ['answers.talks', 'wine'],
      ['answers.talks', 'cheese'],
      ['answers.second', 'second@'],
      ['answers.site', 'example.org'],
    ];
    const { status, text, headers } = await submitForm(server, pathOf(made), typed);
    expect([status, headers.get('cache-control')]).toEqual([422, 'no-store']);
    const faulty = ['name', 'email', 'answers-dish', 'answers-guests', 'answers-arrival', 'answers-meal'];
    for (const id of [...faulty, 'answers-talks', 'answers-rules', 'answers-second', 'answers-site']) {
      expect(text).toContain(`<a href="#${id}">`);
      expect(text).toMatch(new RegExp(`<p class="fault" id="${id}-fault">[^<]+</p>`));
      expect(text).toMatch(new RegExp(`aria-describedby="[^"]*\\b${id}-fault"`));
    }
    expect(text).not.toContain('id="answers-story-fault"');
    expect(text.match(/<li><a href="#/g)).toHaveLength(10);
    expect(text).toContain('10 fields need your attention');
    expect(text).toContain('value="nobody&quot;" aria-required="true" aria-invalid="true"');
    expect(text).toContain('A &lt;story&gt;\n</textarea>');
    expect(text).toContain('value="two"');
    expect(text.match(/ checked/g)).toHaveLength(3);
    expect(text).toContain('<title>Not sent yet: ');
    expect((await server.execute('select id from guest_request where event_id = ?', [made.id])).length).toBe(0);
  });

  it('shows the new form if it changed meanwhile, with what still fits', async () => {
    const { event, ask, pathOf } = await organizer(server);
    const made = await event();
    await ask(made, everyQuestion.slice(0, 2));
    await ask(made, [...everyQuestion.slice(0, 1), { key: 'new', type: 'text', label: 'A new question' }]);
    const email = guestAddress();
    const fields = { name: 'Grace', email, 'answers.dish': 'A pie', 'answers.story': 'Mine' };
    for (const version of ['1', 'x', '']) {
      const { status, text } = await submitForm(server, pathOf(made), { ...fields, form_version: version });
      expect([version, status]).toEqual([version, 409]);
      expect(text).toContain('The organizer has changed the form in the meantime');
      expect(text).toContain('A new question');
      expect(text).toContain('value="A pie"');
      expect(text).toContain('value="Grace"');
      expect(text).toContain('name="form_version" value="2"');
      expect(text).not.toContain('Mine');
    }
    expect((await submitForm(server, pathOf(made), { ...fields, form_version: '2' })).status).toBe(303);
  });

  it('says so if the event filled up or closed meanwhile', async () => {
    const { event, patch, pathOf } = await organizer(server);
    const fields = { name: 'Grace', email: guestAddress() };
    const full = await event({ capacity: 1, accepted: 1, waitingList: false });
    const first = await submitForm(server, pathOf(full), fields);
    expect(first.status).toBe(409);
    expect(first.text).toContain('The last place has just been taken');
    expect(first.text).not.toContain('<form');
    const closed = await event();
    await patch(closed, { registration: 'closed' });
    const second = await submitForm(server, pathOf(closed), fields);
    expect(second.status).toBe(409);
    expect(second.text).toContain('Registration is closed, so nothing was sent.');
    expect(second.text).not.toContain('<form');
  });

  it('takes a form of 1 MiB, and refuses other bodies and other sites in words', async () => {
    const { event, ask, pathOf } = await organizer(server);
    const made = await event();
    const stories = Array.from({ length: 30 }, (_, index) => `story${index}`);
    await ask(
      made,
      stories.map((key) => ({ key, type: 'long_text', label: key })),
    );
    const fields = {
      name: 'Grace',
      email: guestAddress(),
      ...Object.fromEntries(stories.map((key) => [`answers.${key}`, 'x'.repeat(10_000)])),
    };
    const path = pathOf(made);
    // of our own pages
    for (const origin of ['null', server.url]) {
      expect((await submitForm(server, path, fields, { origin })).status).toBe(303);
    }
    const refusals: [number, string, RequestInit][] = [
      [413, 'Your answers are too long', { body: new URLSearchParams({ name: 'x'.repeat(1_100_000) }) }],
      [415, 'This is not possible here', { body: '{}', headers: { 'content-type': 'application/json' } }],
      [415, 'This is not possible here', { body: 'name=x', headers: { 'content-type': 'text/plain' } }],
      [403, 'another site', { body: new URLSearchParams(fields), headers: { 'sec-fetch-site': 'cross-site' } }],
      [403, 'another site', { body: new URLSearchParams(fields), headers: { 'sec-fetch-site': 'same-site' } }],
      [403, 'another site', { body: new URLSearchParams(fields), headers: { origin: 'https://other.example' } }],
    ];
    for (const [expected, words, init] of refusals) {
      const { status, text, headers } = await show(path, { method: 'POST', ...init });
      expect([status, headers.get('content-type')], words).toEqual([expected, 'text/html; charset=utf-8']);
      expect(text).toContain(words);
    }
  });
});

describe('caches', () => {
  it('may keep pages for 30 seconds, and confirm them without a query for lists or forms', async () => {
    const { event, list, pathOf } = await organizer(server);
    const made = await event({ capacity: 5 });
    for (const path of [list, pathOf(made)]) {
      const { headers } = await show(path);
      const tag = headers.get('etag') as string;
      expect(tag).toMatch(/^W\/"[\w-]+"$/);
      expect(headers.get('cache-control')).toBe('public, max-age=30');
      for (const method of ['GET', 'HEAD']) {
        const { result, statements } = await countStatements(server.orm, () =>
          show(path, { method, headers: { 'if-none-match': tag } }),
        );
        expect([result.status, result.text, result.headers.get('etag')]).toEqual([304, '', tag]);
        expect(result.headers.get('cache-control')).toBe('public, max-age=30');
        expect(statements.length).toBe(path === list ? 1 : 2);
        expect(statements.join()).not.toContain('form_version');
      }
      expect((await show(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    }
  });

  it('confirm pages and calendars for any tag, once they were found', async () => {
    const { event, list, pathOf } = await organizer(server);
    const made = await event();
    const any = (path: string) => show(path, { headers: { 'if-none-match': '*' } });
    for (const path of [list, pathOf(made), `${pathOf(made)}.ics`, `${list}/events.ics`]) {
      const tag = (await show(path)).headers.get('etag');
      const { status, text, headers } = await any(path);
      expect([path, status, text, headers.get('etag')]).toEqual([path, 304, '', tag]);
    }
    for (const path of [`${list}-nowhere`, `${list}/nowhere`, `${list}/nowhere.ics`, `${list}-nowhere/events.ics`]) {
      expect([path, (await any(path)).status]).toEqual([path, 404]);
    }
  });

  it('hear of every change that a page shows', async () => {
    const { event, ask, patch, pathOf, organizationId } = await organizer(server);
    const made = await event({ capacity: 5 });
    const tagOf = async () => (await show(pathOf(made))).headers.get('etag');
    const guest = guestOf(server, organizationId);
    const changes: [string, () => Promise<unknown>][] = [
      ['the name', () => patch(made, { name: 'Another' })],
      ['the form', () => ask(made, [{ key: 'a', type: 'text', label: 'A' }])],
      ['a place that is taken', () => guest.subscribe(made.slug, { email: guestAddress() })],
      [
        'the name of the organization',
        () => server.execute(`update organization set name = 'X' where id = ?`, [organizationId]),
      ],
    ];
    const seen = [await tagOf()];
    for (const [what, change] of changes) {
      await change();
      const tag = await tagOf();
      expect(seen, what).not.toContain(tag);
      seen.push(tag);
    }
    await patch(made, { status: 2 });
    const gone = await show(pathOf(made), { headers: { 'if-none-match': seen.join(', ') } });
    expect(gone.status).toBe(200);
  });

  it('keep no refusal and nothing that answers a form', async () => {
    const { event, pathOf } = await organizer(server);
    const path = pathOf(await event());
    const answers = [
      await show(`${path}?sent`),
      await show(`${path}x`),
      await submitForm(server, path, {}),
      await submitForm(server, path, { name: 'G', email: guestAddress() }),
    ];
    for (const { headers, status } of answers) {
      expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([status, 'no-store', null]);
    }
  });
});
