import { randomBytes, randomUUIDv7 } from 'node:crypto';
import PostalMime from 'postal-mime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { sweep } from '../../src/jobs/sweep.ts';
import type { LimitRule } from '../../src/kernel/limits/rules.ts';
import { insertMember, insertUser } from '../support/fixtures.ts';
import { guestAddress, guestOf } from '../support/guests.ts';
import { countMails, mailsTo, settleMails } from '../support/mail.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { expectCode, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startSmtp } from '../support/smtp.ts';
import { countStatements } from '../support/statements.ts';
import { retentionDays } from '../support/sweeping.ts';
import { createTeam } from '../support/team.ts';

const server = await serve({ env: { RATE_LIMIT: 'on', TRUST_PROXY: 'true', GUEST_MAILS_PER_HOUR: '10000' } });
const team = await createTeam(server);
const { organizationId } = team;
const guest = guestOf(server, organizationId);
const smtp = await shared(startSmtp());
const mailing = await serve({ env: { SMTP_URL: `${smtp.url}?tls=off` } });
const theirs = await createTeam(mailing);
const event = () => insertPublicEvent(server, { organizationId });
const count = async (table: string, email: string) =>
  (await server.execute(`select count(*)::int as n from ${table} where email = ?`, [email]))[0]?.n;

it('answers a request full of faults with less than it was sent', async () => {
  const { id } = await event();
  const answers = Object.fromEntries(Array.from({ length: 24_000 }, (_, index) => [index.toString(36), 1]));
  const { status, text } = await guest.request(id, { email: guestAddress(), answers });
  const { errors } = JSON.parse(text);
  expect([status, errors.length, errors.at(-1).pointer]).toEqual([400, 1_001, '']);
  expect(text.length).toBeLessThan(JSON.stringify(answers).length);
});

describe('a mail bomb', () => {
  it('is three mails an hour for an address and an event, at the same answer, and leaves nothing of the others', async () => {
    const { id } = await event();
    const email = guestAddress();
    for (let index = 0; index < 8; index += 1) {
      const written = index % 2 === 0 ? email : email.toUpperCase();
      expect((await guest.request(id, { email: written, name: `Name ${index}` })).text).toBe('true');
      await settleMails(server);
    }
    expect(await countMails(server, email)).toBe(3);
    // the three that have a link, of which the first that is used ends the others
    const requests = () => server.execute('select id from guest_request where mailbox = ?', [email.toLowerCase()]);
    expect(await requests()).toHaveLength(3);
    expect((await guest.confirm(await guest.mailed(email, 3))).status).toBe(200);
    expect(await requests()).toEqual([]);
  });

  it('is ten mails an hour for an address, whatever the events', async () => {
    const email = guestAddress();
    for (let index = 0; index < 13; index += 1) {
      expect((await guest.request((await event()).id, { email })).text).toBe('true');
    }
    await settleMails(server);
    expect(await countMails(server, email)).toBe(10);
    expect(await count('guest_request', email)).toBe(10);
  });

  it('takes nothing from the mails of accounts, and ends with its network', async () => {
    const { id } = await event();
    const from = (ip: string, email: string, headers = {}) =>
      send(
        server,
        { organizationId },
        `POST /public/events/${id}/subscriptions`,
        { name: 'G', email },
        { 'x-forwarded-for': ip, ...headers },
      );
    const spent = async (rule: LimitRule, key: string, times: number) => {
      for (let index = 0; index < times; index += 50) {
        await Promise.all(Array.from({ length: 50 }, () => server.services.limits.tryTake({ rule, key })));
      }
    };
    await spent('guest_network', '192.0.2.7', 1000);
    const [silent, heard] = [guestAddress(), guestAddress()];
    const refused = await from('192.0.2.7', silent);
    expect([refused.status, refused.text]).toEqual([200, 'true']);
    const [kept] = await server.execute('select count(*)::int as n from idempotency_key');
    for (const key of ['a', 'b']) {
      expect((await from('192.0.2.7', silent, { 'idempotency-key': key })).text).toBe('true');
    }
    expect(await server.execute('select count(*)::int as n from idempotency_key')).toEqual([kept]);
    expect((await from('192.0.2.8', heard)).text).toBe('true');
    await mailsTo(server, heard);
    await settleMails(server);
    expect([await countMails(server, silent), await count('guest_request', silent)]).toEqual([0, 0]);
    const reset = await fetch(`${server.url}/auth/reset-password-request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.7' },
      body: JSON.stringify({ email: team.member.email }),
    });
    expect(reset.status).toBe(200);
    await mailsTo(server, team.member.email);
  });
});

describe('what strangers type', () => {
  const texts = [
    'X\r\nBcc: victim@evil.example\r\n\r\n<b>Body</b>',
    '<img src=x onerror=alert(1)><a href="https://evil.example">Click</a>',
    'Win at https://evil.example/now or www.evil.example or pay@evil.example',
    '\u202Eelpmaxe.live\u2066 \u2028Bcc: x@evil.example',
    '=?utf-8?q?Subject=3A_evil.example?=',
    '{{7*7}} %s %00',
    '🥖'.repeat(200),
  ];

  const headersOf = async (name: string) => {
    const email = guestAddress();
    const { id } = await insertPublicEvent(mailing, { organizationId: theirs.organizationId });
    const asked = await guestOf(mailing, theirs.organizationId).request(id, { email, name });
    expect(asked.status, asked.text).toBe(200);
    const received = await vi.waitFor(
      () => {
        const found = smtp.received.filter(({ to }) => to.includes(email));
        expect(found).toHaveLength(1);
        return found[0];
      },
      { timeout: 30_000 },
    );
    expect(received?.to).toEqual([email]);
    return await PostalMime.parse(received?.source ?? '');
  };

  it.each(texts)('reads as text in the mail that proves the address, and becomes no header: %j', async (name) => {
    const mail = await headersOf(name);
    expect(mail.headers.map(({ key }) => key)).toEqual((await headersOf('Grace')).headers.map(({ key }) => key));
    expect(mail.subject).toBe('Confirm your subscription');
    const own = /http:\/\/events\.test\/confirm-subscription\?token=[\w-]{43}/g;
    expect(`${mail.text} ${mail.html}`.match(own)).toHaveLength(3);
    expect(`${mail.text} ${mail.html}`.replaceAll(own, '')).not.toMatch(
      /evil\.example|https?:|[\u202a-\u202e\u2066-\u2069]/,
    );
    expect(mail.html).not.toMatch(/<img|<b>|<script/);
    expect(mail.html?.match(/<a /g)).toHaveLength(1);
  });

  it('stays what it is in answers, and is no object of ours', async () => {
    const { id } = await event();
    const question = { key: 'constructor', type: 'long_text', label: 'Q' };
    await send(server, team.manager, `PUT /events/${id}/form`, { questions: [question] });
    const email = guestAddress();
    const answers = { constructor: texts.slice(0, 4).join(' ') };
    const { token } = await guest.subscribe(id, { email, answers });
    const looked = await guest.lookup(token);
    expect(looked.body.answers).toEqual(answers);
    expect(looked.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const polluted = `{"email": "${email}", "name": "x", "answers": {"__proto__": {"badge": 1}}}`;
    const response = await fetch(`${server.url}/public/events/${id}/subscriptions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-organization-id': organizationId },
      body: polluted,
    });
    expect(response.status).toBe(400);
  });
});

describe('who has an account', () => {
  it('shows neither in the answer nor in what is done for it', async () => {
    const { id } = await event();
    const live = await insertMember(server.orm, { organizationId });
    await server.execute(
      "insert into subscription (id, event_id, user_id, status) values (gen_random_uuid(), ?, ?, 'accepted')",
      [id, live.id],
    );
    const addresses = [
      guestAddress(),
      live.email,
      team.owner.email,
      (await insertUser(server.orm)).email,
      (await insertUser(server.orm, { verified: false })).email,
      (await insertUser(server.orm, { password: null })).email,
    ];
    const seen = [];
    const { jobs } = server.services;
    // what the mails take is seen apart from the requests
    server.services.jobs = { nudge: () => undefined };
    onTestFinished(() => {
      server.services.jobs = jobs;
    });
    for (const email of addresses) {
      const { result, statements } = await countStatements(server.orm, () => guest.request(id, { email }));
      const headers = [...result.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
      seen.push({ status: result.status, text: result.text, headers, statements });
      // a look for due jobs, which comes every two seconds, must not find it during the next request
      await server.execute("update job set due_at = due_at + interval '1 hour' where lane = 'guest_mails'");
    }
    await server.execute(`update job set due_at = date_trunc('milliseconds', now()) where lane = 'guest_mails'`);
    server.services.jobs = jobs;
    jobs.nudge('guest_mails');
    for (const each of seen) expect(each).toEqual(seen[0]);
    expect(seen[0]?.text).toBe('true');
    expect(seen[0]?.statements.join()).toContain('guest_request');
    expect(seen[0]?.statements.join()).not.toContain('"user"');
    await settleMails(server);
    for (const email of addresses) expect(await countMails(server, email), email).toBe(1);
  });
});

describe('guessed links', () => {
  it('find nothing, of any form, and end with their network', async () => {
    const { id } = await event();
    const email = guestAddress();
    const { token } = await guest.subscribe(id, { email });
    const guesses = [
      ...Array.from({ length: 20 }, () => randomBytes(32).toString('base64url')),
      token.slice(0, -1),
      `${token}A`,
      token.toLowerCase(),
      `${token} `,
      randomUUIDv7(),
      "' or 1=1 --",
      '%',
    ].filter((each) => each !== token);
    for (const guess of guesses) {
      for (const answer of [await guest.lookup(guess), await guest.cancel(guess), await guest.confirm(guess)]) {
        expectCode(answer, 400, 'INVALID_VERIFICATION_TOKEN');
      }
    }
    // a link to a subscription confirms nothing, and the other way round
    expectCode(await guest.confirm(token), 400, 'INVALID_VERIFICATION_TOKEN');
    await guest.request((await event()).id, { email });
    const confirming = await guest.mailed(email, 3);
    expect((await guest.lookup(confirming)).body.status).toBeNull();
    expectCode(await guest.answer(confirming, { answers: {} }), 400, 'INVALID_VERIFICATION_TOKEN');
    expectCode(await guest.cancel(confirming), 400, 'INVALID_VERIFICATION_TOKEN');
    expect((await guest.lookup(token)).body.status).toBe('accepted');
    const taking = Array.from({ length: 1000 }, () => ({ rule: 'token_network', key: '192.0.2.9' }) as const);
    for (let index = 0; index < taking.length; index += 50) {
      await Promise.all(taking.slice(index, index + 50).map((key) => server.services.limits.tryTake(key)));
    }
    const late = await send(
      server,
      {},
      'POST /public/subscriptions/lookup',
      { token },
      { 'x-forwarded-for': '192.0.2.9' },
    );
    expectCode(late, 429, 'RATE_LIMITED');
  });

  it('stand in no log line', async () => {
    const { id } = await event();
    const email = guestAddress();
    const { token } = await guest.subscribe(id, { email });
    await guest.lookup(token);
    await fetch(`${server.url}/my-subscription?token=${token}`);
    expect(server.logLines.filter((line) => line.includes(token))).toEqual([]);
  });
});

describe('a flood of half-finished subscriptions', () => {
  it('leaves no person, and nothing at all after a day', async () => {
    const { id } = await event();
    const before = (await server.execute('select count(*)::int as n from "user"'))[0]?.n;
    const emails = Array.from({ length: 150 }, guestAddress);
    for (let index = 0; index < emails.length; index += 25) {
      const answers = await Promise.all(emails.slice(index, index + 25).map((email) => guest.request(id, { email })));
      expect(answers.map(({ status }) => status)).toEqual(Array<number>(25).fill(200));
    }
    await settleMails(server);
    const waiting = async () =>
      (await server.execute('select count(*)::int as n from guest_request where event_id = ?', [id]))[0]?.n;
    expect(await waiting()).toBe(150);
    expect((await server.execute('select count(*)::int as n from "user"'))[0]?.n).toBe(before);
    expect(
      (await send<{ availability: string }>(server, { organizationId }, `GET /public/events/${id}`)).body.availability,
    ).toBe('open');
    await server.execute("update guest_request set expires_at = expires_at - interval '1 day'");
    await sweep(new PostgresDatabase(server.orm), { retentionDays });
    expect(await waiting()).toBe(0);
    expect(
      (
        await server.execute(
          "select count(*)::int as n from job where lane ~ 'mails' and kind = 'guest_subscription_requested'",
        )
      )[0]?.n,
    ).toBe(0);
  });

  it('goes with its event', async () => {
    const { id } = await event();
    const email = guestAddress();
    await guest.request(id, { email });
    const token = await guest.mailed(email);
    await server.execute('delete from event where id = ?', [id]);
    expectCode(await guest.confirm(token), 400, 'INVALID_VERIFICATION_TOKEN');
    expect(await count('guest_request', email)).toBe(0);
  });
});
