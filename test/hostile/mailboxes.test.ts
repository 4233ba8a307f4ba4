import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { mailboxOf } from '#input-values';
import { insertSubscription, insertUser, password } from '../support/fixtures.ts';
import { countMails, guestOf, mailedToken, mailsTo, settleMails } from '../support/guests.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { expectCode, send } from '../support/send.ts';
import { post, serveTeam, signIn } from '../support/server.ts';

const { server, team } = await serveTeam();
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
