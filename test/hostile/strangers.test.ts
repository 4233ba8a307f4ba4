import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LimitRule } from '../../src/kernel/limits/rules.ts';
import { insertMember, insertUser } from '../support/fixtures.ts';
import { countMails, guestAddress, guestWorld, mailsTo, settleMails } from '../support/guests.ts';
import { expectCode, send } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';
import { countStatements } from '../support/statements.ts';

const env = { RATE_LIMIT: 'on', TRUST_PROXY: 'true', GUEST_MAILS_PER_HOUR: '10000' };
const { server, team } = await serveTeam({ env });
const { organizationId } = team;
const { guest, event, requested, subscribed } = guestWorld(server, team);
/** Uses up what a network may do. */
const spend = async (rule: LimitRule, key: string) => {
  for (let index = 0; index < 1_000; index += 50)
    await Promise.all(Array.from({ length: 50 }, () => server.services.limits.tryTake({ rule, key })));
};
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
    const path = `POST /public/events/${id}/subscriptions`;
    const from = (ip: string, email: string, headers = {}) =>
      send(server, { organizationId }, path, { name: 'G', email }, { 'x-forwarded-for': ip, ...headers });
    await spend('guest_network', '192.0.2.7');
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
    const { email } = team.member;
    const here = { 'x-forwarded-for': '192.0.2.7' };
    expect((await send(server, {}, 'POST /auth/reset-password-request', { email }, here)).status).toBe(200);
    await mailsTo(server, team.member.email);
  });
});

it('what strangers type stays what it is in answers, and is no object of ours', async () => {
  const { id } = await event();
  const question = { key: 'constructor', type: 'long_text', label: 'Q' };
  await send(server, team.manager, `PUT /events/${id}/form`, { questions: [question] });
  const email = guestAddress();
  const answers = {
    constructor:
      'X\r\nBcc: victim@evil.example\r\n\r\n<img src=x onerror=alert(1)> \u202Eelpmaxe.live\u2066 \u2028 https://evil.example',
  };
  const { token } = await guest.subscribe(id, { email, answers });
  const looked = await guest.lookup(token);
  expect(looked.body.answers).toEqual(answers);
  expect(looked.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const polluted = JSON.parse('{"__proto__": {"badge": 1}}');
  expectCode(await guest.request(id, { email, answers: polluted }), 400, 'VALIDATION_ERROR');
});

it('who has an account shows neither in the answer nor in what is done for it', async () => {
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

it('guessed links find nothing, of any form, and end with their network', async () => {
  const { email, token } = await subscribed();
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
  await spend('token_network', '192.0.2.9');
  const there = { 'x-forwarded-for': '192.0.2.9' };
  const late = await send(server, {}, 'POST /public/subscriptions/lookup', { token }, there);
  expectCode(late, 429, 'RATE_LIMITED');
});

it('a flood of half-finished subscriptions goes with its event', async () => {
  const { id, email, token } = await requested();
  await server.execute('delete from event where id = ?', [id]);
  expectCode(await guest.confirm(token), 400, 'INVALID_VERIFICATION_TOKEN');
  expect(await count('guest_request', email)).toBe(0);
});
