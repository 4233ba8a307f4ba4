import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertOrganization } from '../support/fixtures.ts';
import { guestAddress, guestOf } from '../support/guests.ts';
import { countMails, mailsTo, settleMails } from '../support/mail.ts';
import { everyAnswer, everyQuestion, fetchPage, organizer, submitForm } from '../support/organizer.ts';
import { doors, inDays } from '../support/public-world.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { countStatements } from '../support/statements.ts';

const server = await shared(startTestServer());
const show = (path: string, init: RequestInit = {}) => fetchPage(server, path, init);
const execute = (sql: string, values: unknown[] = []) => server.orm.em.fork().execute(sql, values);
const namesIn = (text: string) => [...text.matchAll(/<h2><a [^>]*>([^<]*)<\/a>/g)].map(([, name]) => name);
const linkIn = (text: string, rel: string) => new RegExp(`rel="${rel}" href="[^?"]*\\?([^"]*)"`).exec(text)?.[1];

describe('GET /o/{organization}', () => {
  it('lists the public events that are not over, the cancelled included, by start', async () => {
    const { event, list } = await organizer(server, 'The Bakers');
    await event({ name: 'Later', dateStart: inDays(9), location: 'Mill Lane 3', timezone: 'Europe/Berlin' });
    await event({ name: 'Running', dateStart: inDays(-1), dateEnd: inDays(1) });
    await event({ name: 'Called off', dateStart: inDays(5), status: 2 });
    await event({ name: 'Over', dateStart: inDays(-3), dateEnd: inDays(-1) });
    await event({ name: 'A draft', status: 0 });
    await event({ name: 'Archived', status: 3 });
    await event({ name: 'Internal', visibility: 'organization' });
    const { status, text } = await show(list);
    expect([status, namesIn(text)]).toEqual([200, ['Running', 'Called off', 'Later']]);
    expect(text).toContain('<h1 dir="auto">The Bakers</h1>');
    expect(text).toContain('Mill Lane 3');
    expect(text).toMatch(/Central European (Summer|Standard) Time \(Europe\/Berlin\)/);
    expect(text.match(/<span class="badge bad">Cancelled<\/span>/g)).toHaveLength(1);
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

  it('says so if nothing is planned', async () => {
    const { list } = await organizer(server);
    expect((await show(list)).text).toContain('No public events are planned at the moment.');
  });
});

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
      '<p class="lines" dir="auto">First &lt;b&gt;paragraph&lt;/b&gt;\nits second line</p><p class="lines" dir="auto">Second paragraph</p>',
    );
    expect(text).toContain(`href="${made.slug}.ics"`);
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
      expect(text).toMatch(/Closed: the (event is over|event is cancelled|organizer takes no sub)/);
    else expect(text).toContain(words[door as keyof typeof words]);
    expect(text.includes('<form')).toBe(door !== 'closed' && door !== 'full');
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

  it('is a 404 page for all that is not public, the same for each', async () => {
    const { event, pathOf, list } = await organizer(server);
    const { event: theirs, pathOf: pathOfTheirs } = await organizer(server);
    const elsewhere = await theirs();
    expect((await show(pathOfTheirs(elsewhere))).status).toBe(200);
    const hidden = await Promise.all([
      event({ status: 0 }),
      event({ status: 3 }),
      event({ visibility: 'organization' }),
    ]);
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
        bodies.add(text);
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

  it('leaves the calendar to its own address', async () => {
    const { event, pathOf, list } = await organizer(server);
    const path = pathOf(await event());
    for (const file of [`${path}.ics`, `${list}/events.ics`]) {
      const { status, headers } = await show(file);
      expect([file, status, headers.get('content-type')]).toEqual([file, 200, 'text/calendar; charset=utf-8']);
    }
  });
});

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
      expect(sent.text).toContain('<h1>Look into your mailbox</h1>');
      expect(sent.text).toContain('If no mail comes');
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
    expect((await execute('select id from guest_request where event_id = ?', [made.id])).length).toBe(0);
  });

  it('shows the new form if it changed meanwhile, with what still fits', async () => {
    const { event, ask, pathOf } = await organizer(server);
    const made = await event();
    await ask(made, everyQuestion.slice(0, 2));
    await ask(made, [everyQuestion[0], { key: 'new', type: 'text', label: 'A new question' }]);
    const email = guestAddress();
    const fields = { name: 'Grace', email, 'answers.dish': 'A pie', 'answers.story': 'Mine' };
    for (const version of ['1', 'x', '']) {
      const { status, text } = await submitForm(server, pathOf(made), { ...fields, form_version: version });
      expect([version, status]).toEqual([version, 409]);
      expect(text).toContain('The organizer has changed the form meanwhile');
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
    expect((await submitForm(server, pathOf(made), fields)).status).toBe(303);
    const path = pathOf(made);
    const refusals: [number, string, RequestInit][] = [
      [413, 'This was too long', { body: new URLSearchParams({ name: 'x'.repeat(1_100_000) }) }],
      [415, 'This is not possible here', { body: '{}', headers: { 'content-type': 'application/json' } }],
      [415, 'This is not possible here', { body: 'name=x', headers: { 'content-type': 'text/plain' } }],
      [403, 'another site', { body: new URLSearchParams(fields), headers: { 'sec-fetch-site': 'cross-site' } }],
      [403, 'another site', { body: new URLSearchParams(fields), headers: { 'sec-fetch-site': 'same-site' } }],
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
        expect(statements.join()).not.toContain('event_form');
      }
      expect((await show(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
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
        () => execute(`update organization set name = 'X' where id = ?`, [organizationId]),
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

it('an organization whose slug is in another script has pages', async () => {
  const { slug } = await insertOrganization(server.orm, { slug: `пекари-${randomUUIDv7()}`, name: 'Пекари' });
  expect((await show(`/o/${encodeURIComponent(slug)}`)).text).toContain('Пекари');
});
