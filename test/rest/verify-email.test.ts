import { describe, expect, it } from 'vitest';
import { User } from '../../src/domain/user/user.entity.ts';
import { insertUser, password } from '../support/fixtures.ts';
import { mailedToken, mailsTo, settleMails, tokenOf } from '../support/mail.ts';
import { expectCode } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { post, signIn } from '../support/sign-in.ts';
import { entriesOf } from '../support/trail.ts';

const server = await serve();

const ask = (body: unknown) => post(`${server.url}/auth/verify-email-request`, body);
const verify = (body: unknown) => post(`${server.url}/auth/verify-email`, body);
const em = () => server.orm.em.fork();
const verifiedAt = async (id: string) => (await em().findOneOrFail(User, id)).verified_at;

/** A user who has not proven the address, with the tokens of as many mails as asked for. */
async function unverified(mails = 1): Promise<{ id: string; email: string; tokens: string[] }> {
  const user = await insertUser(server.orm, { verified: false });
  for (let count = 1; count <= mails; count += 1) {
    await ask({ email: user.email });
    await mailsTo(server, user.email, count);
  }
  return { ...user, tokens: (await mailsTo(server, user.email, mails)).map(tokenOf) };
}

it('POST /auth/verify-email-request answers true for an unknown, a verified and an unverified address, and mails the last', async () => {
  const waiting = await insertUser(server.orm, { verified: false });
  const verified = await insertUser(server.orm);
  for (const email of ['nobody@example.org', verified.email, waiting.email.toUpperCase()]) {
    expect(await ask({ email })).toMatchObject({ status: 200, body: true });
  }
  const [mail] = await mailsTo(server, waiting.email);
  expect(mail?.text).toContain('http://events.test/verify-email?token=');
  await settleMails(server);
  await mailsTo(server, 'nobody@example.org', 0);
  await mailsTo(server, verified.email, 0);
});

describe('POST /auth/verify-email', () => {
  it('proves the address, once, with an entry in the trail', async () => {
    const { id, email, tokens } = await unverified();
    expect(await verifiedAt(id)).toBeNull();
    expect(await verify({ token: tokens[0] })).toMatchObject({ status: 200, body: true });
    expect(await verifiedAt(id)).not.toBeNull();
    await signIn(server.url, email);
    expectCode(await verify({ token: tokens[0] }), 400, 'INVALID_VERIFICATION_TOKEN');
    expect(await entriesOf(server, { subject_id: id, action: 'user.verified' })).toHaveLength(1);
  });

  it('refuses a token after 24 hours, and not a minute before', async () => {
    const { id, tokens } = await unverified();
    const age = (minutes: number) =>
      em().execute(
        `update one_time_token set expires_at = created_at + interval '24 hours' - make_interval(mins => ?) where user_id = ?`,
        [minutes, id],
      );
    const stored = await em().execute('select expires_at - created_at as life from one_time_token where user_id = ?', [
      id,
    ]);
    expect(stored).toEqual([{ life: '1 day' }]);
    await age(24 * 60);
    expectCode(await verify({ token: tokens[0] }), 400, 'INVALID_VERIFICATION_TOKEN');
    await age(24 * 60 - 1);
    expect((await verify({ token: tokens[0] })).status).toBe(200);
  });

  it('does not accept a token of a reset', async () => {
    const user = await insertUser(server.orm, { verified: false });
    await post(`${server.url}/auth/reset-password-request`, { email: user.email });
    const token = await mailedToken(server, user.email);
    expectCode(await verify({ token }), 400, 'INVALID_VERIFICATION_TOKEN');
    expect((await post(`${server.url}/auth/reset-password`, { token, password: `${password}!` })).status).toBe(200);
  });

  it.each([[''], ['x'], ['x'.repeat(43)], ["' or 1=1 --"], ['ä']])('refuses the token %j', async (token) => {
    expectCode(await verify({ token }), 400, 'INVALID_VERIFICATION_TOKEN');
  });
});
