import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import { describe, expect, it, test } from 'vitest';
import { countedMailbox, emailAddress, isEmailAddress, mailboxOf } from '../src/index.ts';

const accepted = [
  'a@b',
  "o'neil+events/2026=x@sub.example.org",
  'A.B@Example.ORG',
  'a..b@example.org',
  'łukasz@bücher.example',
  '用户@例え.jp',
  'हिन्दी@उदाहरण.भारत',
];

const refused = [
  ...['<a@b.c>', 'x<victim@h>', 'Ada <a@b.c>', 'a@b.c,d@e.f', 'a@b.c;', 'group:a@b.c;', 'a:b@c.d', '"a"@b.c'],
  ...['"a b"@c.d'],
  ...['a(comment)@b.c', 'a@[127.0.0.1]', 'a@127.0.0.1', 'a@0.0', 'a@example.0x7F', 'a[b]@c.d', 'a\\b@c.d', 'a@b@c.d'],
  ...['a b@c.d', ' a@b.c', 'a@b.c\n', 'a\r\nRCPT TO:<x@y.z>@b.c'],
  ...['a', '@', 'a@', '@b.c', 'a@b.', 'a@.b', 'a@b..c', 'a@-b.c', 'a@b-.c', 'a@b_c.d', `${'a'.repeat(65)}@b.c`],
  ...[`a@${'b'.repeat(64)}.c`],
  // signs that show nothing, look like a dot, or stand for other letters
  ...[
    'a\u200d@b.c',
    'a\ufe0f@b.c',
    '\u3164@b.c',
    'a\u202e@b.c',
    'a@b\u3002c',
    'a@b\uff0ec',
    'a@ｅxample.org',
    'a＠b.c',
  ],
  ...['😀@b.c', 'a@ü-.c'],
];

describe('emailAddress', () => {
  it.each(accepted)('takes %j', (address) =>
    expect(emailAddress.safeParse(address)).toEqual({ success: true, data: address }),
  );

  it.each(refused)('refuses %j, with one issue', (address) => {
    expect(emailAddress.safeParse(address).error?.issues).toHaveLength(1);
  });

  it('reads both normal forms as one', () => {
    const address = 'jos\u00e9@example.org';
    expect(emailAddress.parse(address.normalize('NFD'))).toBe(address);
  });

  it('takes nothing that nodemailer delivers to another address, or to several', async () => {
    const transport = createTransport({ streamTransport: true, buffer: true });
    const part = fc.string({
      unit: fc.constantFrom(...'aZ0.!#$%&\'*+/=?^_`{|}~-@<>,;:"()[]\\ üßé用'),
      minLength: 1,
      maxLength: 6,
    });
    const addresses = fc.tuple(part, part, part).map(([user, domain, end]) => `${user}@${domain}.${end}`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(addresses, fc.constantFrom(...accepted)), async (address) => {
        fc.pre(isEmailAddress(address.normalize('NFC')));
        const { envelope } = await transport.sendMail({ to: { name: '', address }, from: 'a@b.c', text: '' });
        expect(envelope.to).toHaveLength(1);
        const [to = ''] = envelope.to as string[];
        const at = to.lastIndexOf('@');
        // quotes around a local part are no part of it
        const delivered = `${to.slice(0, at).replace(/^"(.*)"$/, '$1')}@${domainToASCII(to.slice(at + 1)) || to.slice(at + 1)}`;
        expect(delivered.toLowerCase()).toBe(mailboxOf(address));
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ['Ada@Example.org', 'ada@example.org'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ['JOSE\u0301@example.org', 'jos\u00e9@example.org'],
])('mailboxOf counts %j as %j', (address, mailbox) => expect(mailboxOf(address)).toBe(mailbox));

describe('countedMailbox', () => {
  it.each([
    ['User+tag@Example.org', 'user@example.org'],
    ['user+a+b@example.org', 'user@example.org'],
    ['+tag@example.org', '+tag@example.org'],
    ['user@example.org', 'user@example.org'],
    ['user+tag@b\u00fccher.example', 'user@xn--bcher-kva.example'],
  ])('counts %s as %s', (address, mailbox) => {
    expect(countedMailbox(address)).toBe(mailbox);
    expect(countedMailbox(mailboxOf(address))).toBe(mailbox);
  });
});

test('a domain that is too long for its name in ASCII is none, so that every mailbox fits its column', () => {
  const long = Array.from({ length: 12 }, () => '\u00fc\u00e4'.repeat(10)).join('.');
  expect(isEmailAddress(`a@${long}.example`)).toBe(false);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 320 }), (text) => {
      const address = text.normalize('NFC');
      if (isEmailAddress(address)) expect([...mailboxOf(address)].length).toBeLessThanOrEqual(400);
    }),
  );
});
