import { describe, expect, it } from 'vitest';
import { insertMembership, insertOrganization, insertUser, password } from '../support/fixtures.ts';
import { mailsTo } from '../support/mail.ts';
import { expectCode, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { isAccepted, post, readSignIn, refreshWith, type SignIn, signIn, signInNew } from '../support/sign-in.ts';

const server = await serve();

const changePassword = (session: SignIn, current: unknown, next: unknown) =>
  send(server, session, 'POST /auth/change-password', { current_password: current, password: next });
const login = (email: string, secret: string) => post(`${server.url}/auth/login`, { email, password: secret });

describe('POST /auth/change-password', () => {
  it('changes the password, ends all the other sessions at once, keeps the own, and mails a notice', async () => {
    const session = await signInNew(server);
    const { email } = session;
    const other = await signIn(server.url, email);
    expect(await isAccepted(server.url, other.accessToken)).toBe(true);
    const answer = await changePassword(session, password, 'a further long phrase');
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: 'true' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await isAccepted(server.url, other.accessToken)).toBe(false);
    expectCode(await refreshWith(server.url, other.cookie), 401, 'INVALID_TOKEN');
    expect(await isAccepted(server.url, session.accessToken)).toBe(true);
    readSignIn(await refreshWith(server.url, session.cookie));
    expectCode(await login(email, password), 400, 'INVALID_CREDENTIALS');
    await signIn(server.url, email, 'a further long phrase');
    await mailsTo(server, email);
  });

  it('refuses a wrong current password and a weak new one, and changes and ends nothing', async () => {
    const session = await signInNew(server);
    const { email } = session;
    const other = await signIn(server.url, email);
    expectCode(await changePassword(session, 'not the password', 'a further long phrase'), 400, 'INVALID_CREDENTIALS');
    for (const weak of ['short12', 'password123', email]) {
      const answer = await changePassword(session, password, weak);
      expectCode(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.errors).toMatchObject([{ pointer: '/password', code: 'WEAK_PASSWORD' }]);
    }
    expect(await isAccepted(server.url, other.accessToken)).toBe(true);
    await signIn(server.url, email);
  });

  it('reports every wrong field', async () => {
    const session = await signInNew(server);
    const answer = await send(server, session, 'POST /auth/change-password', { password: 1, email: 'x' });
    expectCode(answer, 400, 'VALIDATION_ERROR', ['/current_password', '/email', '/password']);
    expectCode(await send(server, {}, 'POST /auth/change-password', {}), 401, 'INVALID_TOKEN');
  });

  it('lets one through if ten change it at the same time', async () => {
    const session = await signInNew(server);
    const { email } = session;
    const phrases = Array.from({ length: 10 }, (_, index) => `a further long phrase ${index}`);
    const answers = await Promise.all(phrases.map((phrase) => changePassword(session, password, phrase)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    await signIn(server.url, email, phrases[answers.findIndex(({ status }) => status === 200)]);
  });
});

it('GET /auth/me answers the user with organizations and roles, by name', async () => {
  const { id, email } = await insertUser(server.orm, { name: 'Grace Hopper' });
  const zoo = await insertOrganization(server.orm, { name: 'Zoo' });
  const arena = await insertOrganization(server.orm, { name: 'Arena' });
  await insertOrganization(server.orm, { name: 'Somebody else' });
  await insertMembership(server.orm, { organizationId: zoo.id, userId: id, role: 'owner' });
  await insertMembership(server.orm, { organizationId: arena.id, userId: id, role: 'member' });
  const { status, headers, body } = await send(server, await signIn(server.url, email), 'GET /auth/me');
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body).toEqual({
    id,
    email,
    name: 'Grace Hopper',
    organizations: [
      { id: arena.id, name: 'Arena', slug: arena.slug, role: 'member' },
      { id: zoo.id, name: 'Zoo', slug: zoo.slug, role: 'owner' },
    ],
  });
});

it('neither the token nor the cookie of a deleted user is accepted', async () => {
  const session = await signInNew(server);
  await server.execute('delete from "user" where id = ?', [session.userId]);
  expectCode(await send(server, session, 'GET /auth/me'), 401, 'INVALID_TOKEN');
  expectCode(await refreshWith(server.url, session.cookie), 401, 'INVALID_TOKEN');
});

describe('PATCH /auth/me', () => {
  it('changes the name and answers the profile', async () => {
    const session = await signInNew(server);
    const answer = await send(server, session, 'PATCH /auth/me', { name: '  Grace Hopper ' });
    const { userId: id, email } = session;
    expect(answer.body).toEqual({ id, email, name: 'Grace Hopper', organizations: [] });
    expect((await send(server, session, 'GET /auth/me')).body).toEqual(answer.body);
  });

  it.each([
    ['white space', { name: ' \t ' }, ['/name']],
    ['201 characters', { name: 'é'.repeat(201) }, ['/name']],
    ['a lone surrogate', { name: 'a\ud800' }, ['/name']],
    ['no name', {}, ['/name']],
    ['another field', { name: 'Ada', email: 'b@example.org' }, ['/email']],
  ])('refuses %s, and changes nothing', async (_, body, pointers) => {
    const session = await signInNew(server);
    expectCode(await send(server, session, 'PATCH /auth/me', body), 400, 'VALIDATION_ERROR', pointers);
    expect((await send(server, session, 'GET /auth/me')).body.name).toBe('Ada Lovelace');
  });

  it('takes 200 characters of any script', async () => {
    const session = await signInNew(server);
    const name = '😀'.repeat(200);
    expect((await send(server, session, 'PATCH /auth/me', { name })).body).toMatchObject({ name });
  });
});
