import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { mailboxOf } from '#input-values';
import { insertSubscription, insertUser, password } from '../support/fixtures.ts';
import { countMails, guestOf, mailedToken, mailsTo, settleMails } from '../support/guests.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { post, serveTeam, signIn } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startSmtp } from '../support/smtp.ts';

const { server, team } = await serveTeam();
const smtp = await shared(startSmtp());
const mailing = await serveTeam({ env: { SMTP_URL: smtp.url, RATE_LIMIT: 'on' } });
const delivered = () => smtp.received.flatMap(({ to }) => to);
const { organizationId } = team;
const guest = guestOf(server, organizationId);
const name = () => `bob-${randomUUIDv7()}`;

/** PostgreSQL's `lower` makes `i` of the letter with the dot; the domain name system makes another name of it. */
const alike = [
  ['minix.example', 'm\u0130nix.example'],
  ['kelvin.example', 'kelv\u0130n.example'],
] as const;

describe.each(alike)('an address at %s, and one at %s', (domain, other) => {
  const two = () => {
    const user = name();
    return { user, victim: `${user}@${domain}`, attacker: `${user}@${other}` };
  };

  it('are two for guests: nobody gets the link of the other', async () => {
    const { id } = await insertPublicEvent(server, { organizationId });
    const { user, victim, attacker } = two();
    await guest.subscribe(id, { email: victim });
    expect((await guest.request(id, { email: attacker })).text).toBe('true');
    const mails = await mailsTo(server, user, 3);
    expect(mails.map(({ text }) => text.includes('/my-subscription?'))).toEqual([false, true, false]);
    const mailboxes = [victim, attacker].map((each) => mailboxOf(each));
    const found = await server.execute('select email from "user" where mailbox in (?, ?)', mailboxes);
    expect(found).toEqual([{ email: victim }]);
  });

  it('are two for accounts: signing in and a new password', async () => {
    const { victim, attacker } = two();
    await insertUser(server.orm, { email: victim });
    expect((await post(`${server.url}/auth/login`, { email: victim.toUpperCase(), password })).status).toBe(200);
    expect((await post(`${server.url}/auth/login`, { email: attacker, password })).status).toBe(400);
    await post(`${server.url}/auth/reset-password-request`, { email: attacker });
    await settleMails(server);
    expect([await countMails(server, victim), await countMails(server, attacker)]).toEqual([0, 0]);
    // and the other address is free
    await insertUser(server.orm, { email: attacker });
  });

  it('are two for invitations', async () => {
    const { victim, attacker } = two();
    const invited = await send(server, team.owner, 'POST /invitations', { email: victim, role: 'manager' });
    expect(invited.status).toBe(201);
    await insertUser(server.orm, { email: attacker });
    const thief = await signIn(server.url, attacker);
    const token = await mailedToken(server, victim);
    expectCode(await send(server, thief, 'POST /invitations/accept', { token }), 400, 'INVALID_INVITATION_TOKEN');
    const second = await send(server, team.owner, 'POST /invitations', { email: attacker, role: 'member' });
    expect(second.status).toBe(201);
    await insertUser(server.orm, { email: victim });
    const bob = await signIn(server.url, victim);
    expect((await send(server, bob, 'POST /invitations/accept', { token })).status).toBe(200);
  });
});

describe('an address that is written in another way', () => {
  const spellings = ['B\u00dcCHER.example', 'xn--bcher-kva.example', 'Xn--Bcher-Kva.example'];

  it('is the same for sign-in, sign-up, guests and invitations', async () => {
    const user = name();
    const stored = `${user}@b\u00fccher.example`;
    const { id: userId } = await insertUser(server.orm, { email: stored, name: 'Ada' });
    const { id } = await insertPublicEvent(server, { organizationId });
    for (const domain of spellings) {
      const email = `${user.toUpperCase()}@${domain}`;
      expect((await post(`${server.url}/auth/login`, { email, password })).status).toBe(200);
      const account = { email, password: 'quite another 7', name: 'X', organization_name: 'Y' };
      await post(`${server.url}/auth/signup`, account);
    }
    await guest.request(id, { email: `${user}@${spellings[1]}` });
    await settleMails(server);
    const users = await server.execute('select id from "user" where mailbox = ?', [mailboxOf(stored)]);
    expect(users).toEqual([{ id: userId }]);
    await send(server, team.owner, 'POST /invitations', { email: stored, role: 'member' });
    const again = { email: `${user}@${spellings[1]}`, role: 'member' };
    expect((await send(server, team.owner, 'POST /invitations', again)).status).toBe(201);
    const rows = await server.execute('select id from invitation where mailbox = ?', [mailboxOf(stored)]);
    expect(rows).toHaveLength(1);
  });

  it('gets no mail with a link to what exists: that goes to the stored address', async () => {
    const { id } = await insertPublicEvent(server, { organizationId });
    const user = name();
    const stored = `${user}@b\u00fccher.example`;
    const { id: userId } = await insertUser(server.orm, { email: stored });
    await insertSubscription(server.orm, { eventId: id, userId });
    await guest.request(id, { email: `${user.toUpperCase()}@b\u00fccher.example` });
    await settleMails(server);
    const [mail] = await mailsTo(server, user);
    expect(mail?.to).not.toContain(user.toUpperCase());
    expect(mail?.text).toContain('my-subscription');
  });
});

describe('an address that a mail program reads as another one', () => {
  const { server, team } = mailing;
  const spellings = ['x <victim@example.org>', 'victim@example.org\0', 'x@example.net\r\nBcc: victim@example.org'];

  it.each(spellings)('is refused by every operation: %j', async (email) => {
    const event = await insertPublicEvent(server, team);
    const answers = [
      await send(server, {}, 'POST /auth/signup', { email, password, name: 'A', organization_name: 'B' }),
      await send(server, {}, 'POST /auth/login', { email, password }),
      await send(server, {}, 'POST /auth/verify-email-request', { email }),
      await send(server, {}, 'POST /auth/reset-password-request', { email }),
      await send(server, team.owner, 'POST /invitations', { email, role: 'member' }),
      await guestOf(server, team.organizationId).request(event.id, { email }),
    ];
    for (const answer of answers) {
      expectCode(answer, 400, 'VALIDATION_ERROR');
      expect(new Set(pointersOf(answer))).toEqual(new Set(['/email']));
    }
    await settleMails(server);
    expect(delivered()).toEqual([]);
  });

  it('gets no mail if an earlier version stored it', async () => {
    const { id } = await insertUser(server.orm, { email: `x<victim-${randomUUIDv7()}@example.org>`, verified: false });
    await server.execute(
      `insert into job (id, lane, kind, data) values (gen_random_uuid(), 'account_mails', 'password_changed', ?)`,
      [JSON.stringify({ userId: id })],
    );
    await settleMails(server);
    expect(delivered()).toEqual([]);
    const given = await server.execute("select due_at, error from job where lane ~ 'mails'");
    expect(given).toEqual([{ due_at: null, error: 'EENVELOPE' }]);
  });
});

it('the limit of mails counts a tag as its mailbox, of guests, accounts and invitations; but those are different addresses', async () => {
  const { server, team } = mailing;
  const event = await insertPublicEvent(server, team);
  const guest = guestOf(server, team.organizationId);
  const tagged = Array.from({ length: 6 }, (_, index) => `ada+${index}@tags.example`);
  const before = delivered().length;
  for (const email of tagged) {
    expect((await guest.request(event.id, { email })).text).toBe('true');
  }
  await settleMails(server);
  expect(delivered().length - before).toBe(3);
  for (const email of tagged) {
    await insertUser(server.orm, { email });
    await post(`${server.url}/auth/reset-password-request`, { email });
  }
  await settleMails(server);
  expect(delivered().length - before).toBe(6);
  for (const email of tagged) await send(server, team.owner, 'POST /invitations', { email, role: 'member' });
  // three are delivered and the others are postponed, in any order
  const left = `select kind, due_at > now() + interval '1 minute' as postponed from job where lane ~ 'mails' and due_at is not null`;
  const postponed = { kind: 'invitation', postponed: true };
  await expect.poll(() => server.execute(left)).toEqual([postponed, postponed, postponed]);
  expect(delivered().length - before).toBe(9);
});
