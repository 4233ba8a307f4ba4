import { describe, expect, it } from 'vitest';
import { User } from '../../src/domain/user/user.entity.ts';
import { entriesOf, insertMember, insertUser, password } from '../support/fixtures.ts';
import { countMails, mailsTo, settleMails, tokenOf } from '../support/guests.ts';
import { expectCode } from '../support/send.ts';
import { isAccepted, post, refreshWith, serve, signIn } from '../support/server.ts';

const server = await serve();
const replica = await serve({ databaseUrl: server.databaseUrl, secrets: server.secrets });

const ask = (body: unknown, path = 'reset-password-request') => post(`${server.url}/auth/${path}`, body);
const reset = (body: unknown) => post(`${server.url}/auth/reset-password`, body);
const em = () => server.orm.em.fork();
/** How many mails to an address the two processes have kept. */
const mailsOf = async (email: string) => (await countMails(server, email)) + (await countMails(replica, email));
const chosen = 'a password of the new kind';

/** Whichever of the two processes is faster sends a mail. */
async function mailFor(email: string, path?: string): Promise<{ text: string }> {
  await ask({ email }, path);
  await settleMails(server);
  const mails = [
    ...(await mailsTo(server, email, await countMails(server, email))),
    ...(await mailsTo(replica, email, await countMails(replica, email))),
  ];
  return mails.sort((a, b) => (a.name < b.name ? -1 : 1)).at(-1) as { text: string };
}
const tokenFor = async (email: string, path?: string) => tokenOf(await mailFor(email, path));

const codes = { 'verify-email': 'INVALID_VERIFICATION_TOKEN', 'reset-password': 'INVALID_RESET_TOKEN' };

describe.each([
  ['verify-email', 'reset-password', '1 day'],
  ['reset-password', 'verify-email', '01:00:00'],
] as const)('a token to %s', (use, other, life) => {
  const request = `${use}-request`;
  const tryToken = (token: string, path: string = use) =>
    ask({ token, ...(path === 'reset-password' && { password: chosen }) }, path);

  it('is mailed to an account alone, whatever is answered', async () => {
    const { email } = await insertUser(server.orm, { verified: false });
    for (const each of ['nobody@example.org', email.toUpperCase()])
      expect(await ask({ email: each }, request)).toMatchObject({ status: 200, body: true });
    await settleMails(server);
    expect([await mailsOf('nobody@example.org'), await mailsOf(email)]).toEqual([0, 1]);
  });

  it('is for nothing else, which does not use it up', async () => {
    const { email } = await insertUser(server.orm, { verified: false });
    const token = await tokenFor(email, request);
    expectCode(await tryToken(token, other), 400, codes[other]);
    expect((await tryToken(token)).status).toBe(200);
    expectCode(await tryToken(token), 400, codes[use]);
  });

  it(`lives for ${life}, and not longer`, async () => {
    const { id, email } = await insertUser(server.orm, { verified: false });
    const token = await tokenFor(email, request);
    const columns = `expires_at - created_at as life from one_time_token where user_id = ?`;
    expect(await em().execute(`select ${columns}`, [id])).toEqual([{ life }]);
    const endIn = (time: string) =>
      em().execute('update one_time_token set expires_at = now() + ?::interval where user_id = ?', [time, id]);
    await endIn('0');
    expectCode(await tryToken(token), 400, codes[use]);
    await endIn('1 minute');
    expect((await tryToken(token)).status).toBe(200);
  });

  it.each(['', 'x', 'x'.repeat(43), "' or 1=1 --", 'ä'])('is not %j, which costs no hash', async (token) => {
    const started = performance.now();
    expectCode(await tryToken(token), 400, codes[use]);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

it('POST /auth/verify-email proves the address, with an entry in the trail, and then no mail is needed', async () => {
  const { id, email } = await insertUser(server.orm, { verified: false });
  const { text } = await mailFor(email, 'verify-email-request');
  const token = tokenOf({ text });
  expect(text).toContain(`http://events.test/verify-email?token=${token}`);
  expect(await ask({ token }, 'verify-email')).toMatchObject({ status: 200, body: true });
  expect((await em().findOneOrFail(User, id)).verified_at).not.toBeNull();
  await signIn(server.url, email);
  expect(await entriesOf(server, { subject_id: id, action: 'user.verified' })).toHaveLength(1);
  await ask({ email }, 'verify-email-request');
  await settleMails(server);
  expect(await mailsOf(email)).toBe(1);
});

describe('POST /auth/reset-password', () => {
  it('sets the password, ends all sessions everywhere, signs nobody in, and mails a notice', async () => {
    const { id, email } = await insertMember(server.orm);
    const [one, two] = [await signIn(server.url, email), await signIn(replica.url, email)];
    // both processes remember both sessions
    for (const { url } of [server, replica]) {
      for (const { accessToken } of [one, two]) expect(await isAccepted(url, accessToken)).toBe(true);
    }
    const token = await tokenFor(email);
    const answer = await reset({ token, password: chosen });
    expect(answer).toMatchObject({ status: 200, body: true });
    expect(answer.headers.getSetCookie()).toEqual([]);
    for (const { accessToken, cookie } of [one, two]) {
      expect(await isAccepted(server.url, accessToken)).toBe(false);
      expectCode(await refreshWith(server.url, cookie), 401, 'INVALID_TOKEN');
    }
    await expect.poll(() => isAccepted(replica.url, one.accessToken), { timeout: 5_000 }).toBe(false);
    expect(await em().execute('select id from session where user_id = ? and ended_at is null', [id])).toEqual([]);
    expectCode(await post(`${server.url}/auth/login`, { email, password }), 400, 'INVALID_CREDENTIALS');
    await signIn(server.url, email, chosen);
    await settleMails(server);
    expect(await mailsOf(email)).toBe(2);
    expect(await entriesOf(server, { subject_id: id, action: 'user.password_reset' })).toMatchObject([
      { actor_id: id },
    ]);
  });

  it('verifies an account whose address was not proven, and one that never had a password', async () => {
    for (const input of [{ verified: false }, { verified: false, password: null }]) {
      const { id, email } = await insertUser(server.orm, input);
      expect((await reset({ token: await tokenFor(email), password: chosen })).status).toBe(200);
      expect((await em().findOneOrFail(User, id)).verified_at).not.toBeNull();
      await signIn(server.url, email, chosen);
    }
  });

  it('lets one of 20 parallel uses succeed, and its password is then valid', async () => {
    const { email } = await insertUser(server.orm);
    const token = await tokenFor(email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_each, index) =>
        post(`${(index % 2 ? server : replica).url}/auth/reset-password`, { token, password: `${chosen} ${index}` }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array(19).fill(400)]);
    await signIn(server.url, email, `${chosen} ${statuses.indexOf(200)}`);
  });

  it('starts no session with the old password beside a reset', async () => {
    const { id, email } = await insertUser(server.orm);
    const token = await tokenFor(email);
    const logins = Array.from({ length: 12 }, () => post(`${replica.url}/auth/login`, { email, password }));
    const [answer] = await Promise.all([reset({ token, password: chosen }), ...logins]);
    expect(answer.status).toBe(200);
    expect(await em().execute('select id from session where user_id = ? and ended_at is null', [id])).toEqual([]);
  });

  it('refuses a weak password and the own address with an entry for it, and the token stays good', async () => {
    const { email } = await insertUser(server.orm);
    const token = await tokenFor(email);
    for (const weak of ['short', 'password123', email.toUpperCase(), 'x1'.repeat(129)]) {
      const { status, body } = await reset({ token, password: weak });
      expect([status, body.errors]).toMatchObject([400, [{ pointer: '/password', code: 'WEAK_PASSWORD' }]]);
    }
    expect((await reset({ token, password: chosen })).status).toBe(200);
  });
});
