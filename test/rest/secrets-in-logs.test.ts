import { randomUUIDv7 } from 'node:crypto';
import { expect, it } from 'vitest';
import { mailsTo, settleMails, tokenOf } from '../support/mail.ts';
import { isAccepted, post, refreshWith, serve, signIn } from '../support/server.ts';

const server = await serve({ env: { LOG_LEVEL: 'trace' } });

it('no log line, audit entry or queued mail holds a password, token, cookie or link', async () => {
  const email = `ada-${randomUUIDv7()}@example.org`;
  const passwords = ['the first one of them', 'the second one of them', 'wrong and long enough', 'password123'];
  const [first, second, wrong, weak] = passwords as [string, string, string, string];
  const send = (path: string, body: unknown) => post(`${server.url}/auth/${path}`, body);
  const account = { email, password: first, name: 'Ada', organization_name: 'Mine' };
  await send('signup', { ...account, password: weak });
  await send('signup', account);
  const verification = tokenOf((await mailsTo(server, email))[0] as { text: string });
  await fetch(`${server.url}/verify-email?token=${verification}`);
  await send('login', { email, password: first });
  await send('verify-email', { token: verification });
  await send('verify-email', { token: verification });
  await send('login', { email, password: wrong });
  const session = await signIn(server.url, email, first);
  await isAccepted(server.url, session.accessToken);
  await refreshWith(server.url, session.cookie);
  await send('signup', account);
  await mailsTo(server, email, 2);
  await send('reset-password-request', { email });
  const mails = await mailsTo(server, email, 3);
  const reset = tokenOf(mails[2] as { text: string });
  await send('reset-password', { token: reset, password: weak });
  await send('reset-password', { token: reset, password: second });
  await send('reset-password', { token: reset, password: second });
  const last = await signIn(server.url, email, second);
  await post(`${server.url}/auth/logout`, undefined, { cookie: last.cookie });
  await settleMails(server);

  const em = server.orm.em.fork();
  const actions = (await em.execute('select action from audit_entry')).map(({ action }) => action);
  const written = ['signed_up', 'verified', 'signup_refused', 'password_reset_requested', 'password_reset'];
  expect(actions).toEqual(expect.arrayContaining(written.map((each) => `user.${each}`)));
  const kept: Record<string, string> = { log: server.logLines.join('') };
  for (const table of ['audit_entry', 'job', 'one_time_token', '"user"', 'session'])
    kept[table] = JSON.stringify(await em.execute(`select row_to_json(t)::text as text from ${table} t`));
  expect(server.logLines.length).toBeGreaterThan(15);
  const tokens = mails.slice(0, 3).map((mail) => tokenOf(mail));
  const credentials = [session, last].flatMap(({ accessToken, refreshToken, cookie }) => {
    const hidden = Buffer.from(refreshToken, 'base64url').subarray(20);
    const written = [hidden.toString('hex'), hidden.toString('base64url')];
    return [accessToken, refreshToken, cookie, decodeURIComponent(cookie), ...written];
  });
  for (const [where, text] of Object.entries(kept)) {
    for (const secret of [...passwords, ...tokens, ...credentials, '?token=', '$argon2id']) {
      if (where === '"user"' && secret === '$argon2id') continue;
      expect(text.includes(secret), `${where} holds ${secret}`).toBe(false);
    }
  }
});
