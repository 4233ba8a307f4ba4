import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertUser, password } from '../support/fixtures.ts';
import { guestOf, settleMails } from '../support/guests.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { createTeam, post, serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startSmtp } from '../support/smtp.ts';

const smtp = await shared(startSmtp());
const server = await serve({ env: { SMTP_URL: smtp.url, RATE_LIMIT: 'on' } });

const delivered = () => smtp.received.flatMap(({ to }) => to);

describe('an address that a mail program reads as another one', () => {
  const spellings = ['x <victim@example.org>', 'victim@example.org\0', 'x@example.net\r\nBcc: victim@example.org'];

  it.each(spellings)('is refused by every operation: %j', async (email) => {
    const team = await createTeam(server);
    const event = await insertPublicEvent(server, { organizationId: team.organizationId });
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
    const em = server.orm.em.fork();
    await em.execute(`insert into job (id, lane, kind, data) values (?, 'account_mails', ?, ?)`, [
      randomUUIDv7(),
      'password_changed',
      JSON.stringify({ userId: id }),
    ]);
    await settleMails(server);
    expect(delivered()).toEqual([]);
    const [given] = await em.execute(
      "select due_at, error from job where lane ~ 'mails' and kind = 'password_changed'",
    );
    expect(given).toEqual({ due_at: null, error: 'EENVELOPE' });
  });
});

it('the limit of mails counts a tag as its mailbox, of guests, accounts and invitations; but those are different addresses', async () => {
  const team = await createTeam(server);
  const event = await insertPublicEvent(server, team);
  const guest = guestOf(server, team.organizationId);
  const name = randomUUIDv7();
  const tagged = Array.from({ length: 6 }, (_, index) => `${name}+${index}@tags.example`);
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
