import PostalMime from 'postal-mime';
import { afterAll, describe, expect, it } from 'vitest';
import type { EventLetter } from '../../src/mail/letter.ts';
import { createMailer } from '../../src/mail/mailer.ts';
import { wordsOf } from '../../src/mail/words.ts';
import { shared } from '../support/shared.ts';
import { startSmtp } from '../support/smtp.ts';

const to = { address: 'mia@example.org', name: 'Mia' };
const plain = {
  id: '019b7739-16c4-713d-922e-37c3d4317409',
  version: 3,
  created: new Date('2031-01-01T00:00:00Z'),
  updated: new Date('2031-02-01T00:00:00Z'),
  contact: null as string | null,
  name: 'Bread Baking',
  organization: 'The Shed',
  start: new Date('2031-05-03T08:00:00Z'),
  end: new Date('2031-05-03T12:00:00Z'),
  timezone: 'Europe/Berlin',
  location: 'The kitchen',
  gone: false,
};
type Facts = Partial<typeof plain>;

/** A letter of every kind about an event. */
function letters(facts: Facts): EventLetter[] {
  const event = { ...plain, ...facts };
  const subscription = (['pending', 'accepted', 'declined', 'waitlisted', 'cancelled'] as const).flatMap((status) =>
    (['holder', 'manager', 'list'] as const).map((by) => ({
      kind: 'subscription' as const,
      status,
      by,
      event,
      link: null,
      to,
    })),
  );
  const notices = (['cancelled', 'reinstated', 'changed', 'reminder'] as const).flatMap((notice) =>
    (['pending', 'accepted', 'waitlisted'] as const).map((status) => ({
      ...{
        kind: 'event_notice' as const,
        notice,
        status,
        event,
        link: 'https://events.example/my-subscription?token=x',
        to,
      },
    })),
  );
  const link = 'https://events.example/confirm-subscription?token=x';
  const name = event.name;
  const guests = [
    { kind: 'guest_confirm' as const, link, hours: 24, name, event, to },
    { kind: 'guest_link' as const, link, status: 'accepted' as const, event, to },
  ];
  return [...subscription, ...notices, ...guests];
}

const hostile = [
  `<img src=x onerror=alert(1)> "Ünïcödé" & =cmd|' /C calc'!A0`,
  '</title></body><script>alert(1)</script>',
  'Bread\r\nBcc: victim@evil.example\r\n\r\n<b>Body</b>',
  '\u2028Bcc: x\u0085\u0000\u001b[31m',
  '\u202Eelpmaxe.live\u2066 مساء الخبز',
  'javascript:alert(1) https://evil.example/x?a=b www.evil.example pay@evil.example',
  '='.repeat(200),
  '🥖'.repeat(200),
  `${'Donaudampfschifffahrt'.repeat(9)} x`,
];

const smtp = await shared(startSmtp());
const server = { host: '127.0.0.1', port: smtp.port, tls: 'off' as const, credentials: null };
const mailer = createMailer({ smtp: server, dir: '', from: null, publicUrl: 'http://events.test' });
afterAll(() => mailer.close());

/** The line above a link. */
function labelBefore(text: string, link: string): string {
  return text
    .slice(0, text.indexOf(`\n${link}`))
    .split('\n')
    .at(-1) as string;
}

describe('a mail about an event', () => {
  it('comes from the organizer, with the event for those who have a place, unless a stranger can cause it', async () => {
    const seen = new Map<string, unknown>();
    for (const contact of ['hello@shed.example', 'x@shed.example\r\nbcc: y@evil.example']) {
      for (const letter of letters({ contact })) {
        const before = smtp.received.length;
        await mailer.send(letter, 'an-id', new AbortController().signal);
        const {
          from,
          replyTo = [],
          attachments,
          bcc = [],
        } = await PostalMime.parse(smtp.received[before]?.source ?? '');
        expect([from?.address, bcc]).toEqual(['no-reply@events.test', []]);
        const isOurs = letter.kind.startsWith('guest_');
        expect(from?.name).toBe(isOurs ? 'Events Gateway' : 'The Shed via Events Gateway');
        expect(replyTo.map(({ address }) => address)).toEqual(isOurs || contact.includes(' ') ? [] : [contact]);
        const files = attachments.map(({ content }) => new TextDecoder().decode(content as ArrayBuffer));
        const kind = 'notice' in letter ? letter.notice : letter.kind;
        seen.set(
          `${kind} ${'status' in letter ? letter.status : ''}`,
          files.map((text) => /STATUS:(\w+)/.exec(text)?.[1]),
        );
        for (const text of files) {
          expect(text).toContain(`UID:${plain.id}@events.test\n`);
          expect(text).toContain('DTSTART;TZID=Europe/Berlin:20310503T100000\n');
          expect(text).toContain('SEQUENCE:2\n');
        }
      }
    }
    const withFile = [...seen].filter(([, files]) => (files as unknown[]).length > 0);
    expect(Object.fromEntries(withFile)).toEqual({
      'subscription accepted': ['CONFIRMED'],
      'cancelled accepted': ['CANCELLED'],
      'reinstated accepted': ['CONFIRMED'],
      'changed accepted': ['CONFIRMED'],
      'reminder accepted': ['CONFIRMED'],
    });
  });

  it.each(hostile)('holds no markup or line of the name %j, and no link of it if a stranger causes it', (text) => {
    for (const letter of letters({ name: text, location: text, organization: text })) {
      const { subject, ...words } = wordsOf(letter);
      // the only link is ours
      const label = letter.link === null ? '' : `\n\n${labelBefore(words.text, letter.link)}\n${letter.link}`;
      const body = words.text.replace(label, '');
      const html = words.html.replace(/<p><a .*?<\/a><\/p><p>Or open this address: [^<]*<\/p>/, '');
      expect(subject).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,130}$/u);
      expect(`${body} ${html}`).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      if (letter.kind.startsWith('guest_')) expect(`${body} ${html}`).not.toMatch(/evil\.example|https?:|javascript:/);
      const tags = [...html.matchAll(/<\/?([a-z!]+)/gi)].map(([, name]) => name?.toLowerCase());
      expect(new Set(tags)).toEqual(new Set(['!doctype', 'html', 'head', 'meta', 'title', 'body', 'p']));
      // each paragraph of ours is one line
      const paragraphs = body.trimEnd().split('\n\n');
      expect(paragraphs.filter((each) => each.includes('\n'))).toEqual([]);
      expect(html.match(/<p>/g)).toHaveLength(paragraphs.length);
    }
  });

  it.each(hostile)('arrives with the headers of any other, whatever the name: %j', async (text) => {
    const headers = async (letter: EventLetter) => {
      const before = smtp.received.length;
      await mailer.send(letter, 'an-id', new AbortController().signal);
      const received = smtp.received[before];
      expect(received?.to).toEqual([to.address]);
      const mail = await PostalMime.parse(received?.source ?? '');
      return { names: mail.headers.map(({ key }) => key), mail };
    };
    const twoKinds = (facts: Facts) => {
      const all = letters(facts);
      return [all[0], all.find(({ kind }) => kind === 'guest_confirm')] as [EventLetter, EventLetter];
    };
    const others = twoKinds({});
    for (const [index, letter] of twoKinds({ name: text, location: text, organization: text }).entries()) {
      const { names, mail } = await headers(letter);
      expect(names).toEqual((await headers(others[index] as EventLetter)).names);
      expect(mail.subject).toBe(wordsOf(letter).subject);
      expect(mail.bcc ?? []).toEqual([]);
    }
  });

  it.each(['Node.js Meetup 2.0: C# & more', '100 % of A_B @ “Bar” [x] #1 ~ 5 €', 'D.C. tour 👩‍💻'])(
    'shows %j to those who take part as it is, and the address of an online event',
    (name) => {
      const location = `https://meet.example/room?id=${'1'.repeat(400)}&x=<y>`;
      for (const letter of letters({ name, location }).filter(({ kind }) => !kind.startsWith('guest_'))) {
        const { subject, text, html } = wordsOf(letter);
        expect(subject.endsWith(`: ${name}`), subject).toBe(true);
        expect(text).toContain(`“${name}”`);
        expect(text).toContain(`Where: ${location}\n`);
        expect(html).toContain(`Where: ${location.replace('&', '&amp;').replace('<y>', '&lt;y&gt;')}</p>`);
      }
    },
  );

  it('shows the whole name in the body, and what fits of it in the subject', () => {
    const name = 'ä'.repeat(200);
    for (const letter of letters({ name })) {
      const { subject, text } = wordsOf(letter);
      expect(text).toContain(`“${name}”`);
      if (!letter.kind.startsWith('guest_')) expect(subject).toMatch(/: ä{79}…$/);
    }
  });

  it('has a subject of ours alone if a stranger causes it', () => {
    const subjects = letters({ name: 'Buy now', organization: 'Buy now' })
      .filter(({ kind }) => kind.startsWith('guest_'))
      .map((letter) => wordsOf(letter).subject);
    expect(subjects).toEqual(['Confirm your subscription', 'You have already subscribed']);
  });

  it('announces no other mail about a cancelled event whose organization is being deleted', () => {
    const closings = (gone: boolean) =>
      letters({ gone })
        .filter((letter) => letter.kind === 'event_notice' && letter.notice === 'cancelled')
        .map((letter) => wordsOf(letter).text.includes('You will get a mail if it goes ahead after all.'));
    expect(closings(false)).toEqual([true, true, true]);
    expect(closings(true)).toEqual([false, false, false]);
  });

  it('says the year once, and the offsets if the clocks change in between', () => {
    const when = (facts: Facts) => /When: (.*)/.exec(wordsOf(letters(facts)[0] as EventLetter).text)?.[1];
    expect(when({})).toBe('Saturday, 3 May 2031, 10:00–14:00 (Europe/Berlin)');
    const night = { start: new Date('2031-10-26T00:30:00Z'), end: new Date('2031-10-26T01:30:00Z') };
    expect(when(night)).toBe(
      'Sunday, 26 October 2031 at 02:30 GMT+2 – Sunday, 26 October 2031 at 02:30 GMT+1 (Europe/Berlin)',
    );
    expect(when({ end: new Date('2031-05-05T10:00:00Z') })).toBe(
      'Saturday, 3 May at 10:00\u2009–\u2009Monday, 5 May 2031 at 12:00 (Europe/Berlin)',
    );
    expect(when({ end: new Date('2032-05-01T10:00:00Z') })).toBe(
      'Saturday, 3 May 2031 at 10:00\u2009–\u2009Saturday, 1 May 2032 at 12:00 (Europe/Berlin)',
    );
    expect(when({ end: plain.start })).toBe('Saturday, 3 May 2031 at 10:00 (Europe/Berlin)');
  });
});
