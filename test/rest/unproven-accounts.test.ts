import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { StoredMail } from '#mail-folder';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import { Organization } from '../../src/domain/organization/organization.entity.ts';
import { insertOrganization, insertUser } from '../support/fixtures.ts';
import { mailsTo, settleMails, tokenOf } from '../support/guests.ts';
import { expectCode, send, statusesOf } from '../support/send.ts';
import { createTeam, post, serve, signIn } from '../support/server.ts';

const server = await serve();
const limited = await serve({ env: { RATE_LIMIT: 'on' } });

const strangers = 'chosen by a stranger';
const owners = 'chosen by the owner';
const address = () => `new-${randomUUIDv7()}@example.org`;
const login = (email: string, password: string) => post(`${server.url}/auth/login`, { email, password });
const verify = (mail: StoredMail | undefined) =>
  post(`${server.url}/auth/verify-email`, { token: tokenOf(mail as StoredMail) });
const reset = (mail: StoredMail | undefined, password: string) =>
  post(`${server.url}/auth/reset-password`, { token: tokenOf(mail as StoredMail), password });
const count = (entity: typeof Membership | typeof Organization, where: object) =>
  server.orm.em.fork().count(entity as typeof Organization, where);

/** Signs up, to found an organization unless there is one to join; the mails that the address has by then. */
async function signUp(email: string, password: string, mails: number, wish: { joins?: string; founds?: string } = {}) {
  const { joins, founds = joins === undefined ? 'Founded' : undefined } = wish;
  const headers = joins === undefined ? {} : { 'x-organization-id': joins };
  const body = { email, password, name: `Of ${password}`, organization_name: founds };
  const response = await post(`${server.url}/auth/signup`, body, headers as Record<string, string>);
  expect(response.body).toBe(true);
  return await mailsTo(server, email, mails);
}

async function profile(email: string, password: string) {
  const session = await signIn(server.url, email, password);
  return (await send<{ name: string; organizations: object[] }>(server, session, 'GET /auth/me')).body;
}

describe('an account whose address is not proven', () => {
  it('founds its organization with the proof, once', async () => {
    const founds = `Founded ${randomUUIDv7()}`;
    const email = address();
    const [mail] = await signUp(email, owners, 1, { founds });
    expect(await count(Organization, { name: founds })).toBe(0);
    expect(await statusesOf(20, () => verify(mail))).toEqual([200, ...Array(19).fill(400)]);
    expect(await count(Organization, { name: founds })).toBe(1);
    expect((await profile(email, owners)).organizations).toMatchObject([{ name: founds, role: 'owner' }]);
  });

  it('joins nothing if the organization no longer accepts sign-ups', async () => {
    const { id } = await insertOrganization(server.orm);
    const email = address();
    const [mail] = await signUp(email, owners, 1, { joins: id.toUpperCase() });
    expect(await count(Membership, { organization_id: id })).toBe(0);
    await server.orm.em.fork().nativeUpdate(Organization, id, { signup: 'invite' });
    expect((await verify(mail)).status).toBe(200);
    expect((await profile(email, owners)).organizations).toEqual([]);
  });

  it('gets with a later verification mail what its sign-up wished for', async () => {
    const email = address();
    await signUp(email, owners, 1, { founds: 'Later' });
    await server.execute('delete from one_time_token');
    await post(`${server.url}/auth/verify-email-request`, { email });
    const [, mail] = await mailsTo(server, email, 2);
    expect(mail?.text).toContain('to create “Later”');
    expect((await verify(mail)).status).toBe(200);
    expect((await profile(email, owners)).organizations).toMatchObject([{ name: 'Later', role: 'owner' }]);
  });
});

describe('a stranger who signs up with the address of somebody else', () => {
  /** Whether the stranger is kept out, and the owner in, with nothing that the stranger wished for. */
  async function expectOwnersAlone(email: string, organizations: object[]) {
    expectCode(await login(email, strangers), 400, 'INVALID_CREDENTIALS');
    const found = await profile(email, owners);
    expect(found.organizations).toMatchObject(organizations);
    return found;
  }

  it('is told apart by the mail: what confirming does, and that doing nothing is safe', async () => {
    const [mail] = await signUp(address(), strangers, 1, { founds: '<b>Club</b> https://evil.example/now' });
    expect(mail?.subject).toBe('Confirm your e-mail address');
    expect(mail?.text).toMatch(/to create “.*Club/);
    expect(mail?.text).toContain('If you did not sign up, ignore this mail');
    expect(mail?.text).not.toContain('evil.example/');
    expect(mail?.html).not.toContain('<b>');
  });

  it('gains nothing if the owner signs up as well: the first link dies, and the second sets a password', async () => {
    const email = address();
    const [first] = await signUp(email, strangers, 1, { founds: 'A trap' });
    const [, second] = await signUp(email, owners, 2, { founds: 'The real one' });
    expect(second?.text).toContain('to create “The real one”');
    expectCode(await verify(first), 400, 'INVALID_VERIFICATION_TOKEN');
    expectCode(await login(email, strangers), 401, 'USER_NOT_VERIFIED');
    expectCode(await login(email, owners), 400, 'INVALID_CREDENTIALS');
    expect((await reset(second, owners)).status).toBe(200);
    const { name } = await expectOwnersAlone(email, [{ name: 'The real one', role: 'owner' }]);
    expect(name).toBe(`Of ${owners}`);
    expect(await count(Organization, { name: 'A trap' })).toBe(0);
  });

  it('gains nothing by signing up again, nor by a verification that either of them asks for', async () => {
    const email = address();
    await signUp(email, strangers, 1);
    await signUp(email, owners, 2);
    await signUp(email, strangers, 3);
    await post(`${server.url}/auth/verify-email-request`, { email });
    const mails = await mailsTo(server, email, 4);
    for (const mail of mails) expectCode(await verify(mail), 400, 'INVALID_VERIFICATION_TOKEN');
    expect((await reset(mails[3], owners)).status).toBe(200);
    await expectOwnersAlone(email, []);
  });

  it('gains nothing by being the second: the link that the owner chooses decides', async () => {
    const email = address();
    await signUp(email, owners, 1);
    const [, second] = await signUp(email, strangers, 2, { founds: 'A trap' });
    expect(second?.text).toContain('“A trap”');
    await post(`${server.url}/auth/reset-password-request`, { email });
    const [, , third] = await mailsTo(server, email, 3);
    expectCode(await reset(second, owners), 400, 'INVALID_RESET_TOKEN');
    expect((await reset(third, owners)).status).toBe(200);
    await expectOwnersAlone(email, []);
  });

  it('gains nothing if the owner sets a password: what the sign-up waited for is dropped', async () => {
    const email = address();
    const { id } = await insertOrganization(server.orm);
    const [first] = await signUp(email, strangers, 1, { joins: id });
    await post(`${server.url}/auth/reset-password-request`, { email });
    const [, second] = await mailsTo(server, email, 2);
    expect((await reset(second, owners)).status).toBe(200);
    expectCode(await verify(first), 400, 'INVALID_VERIFICATION_TOKEN');
    await expectOwnersAlone(email, []);
    expect(await count(Membership, { organization_id: id })).toBe(0);
  });

  it('gains nothing if the owner accepts an invitation', async () => {
    const team = await createTeam(server);
    const email = address();
    await signUp(email, strangers, 1, { joins: team.organizationId });
    await send(server, team.owner, 'POST /invitations', { email, role: 'manager' });
    const [, invitation] = await mailsTo(server, email, 2);
    // the page of the invitation has whoever has no account sign up
    const [, , chosen] = await signUp(email, owners, 3);
    expect((await reset(chosen, owners)).status).toBe(200);
    const { accessToken } = await signIn(server.url, email, owners);
    const token = tokenOf(invitation as StoredMail);
    expect((await send(server, { accessToken }, 'POST /invitations/accept', { token })).status).toBe(200);
    await expectOwnersAlone(email, [{ id: team.organizationId, role: 'manager' }, { name: 'Founded' }]);
  });

  it('cannot make a link do what its mail does not say, when no further mail may leave', async () => {
    const [nice, nasty] = await Promise.all(['Nice', 'Nasty'].map((name) => insertOrganization(limited.orm, { name })));
    const email = address();
    const body = { email, password: strangers, name: 'M' };
    const join = (id: string | undefined) =>
      post(`${limited.url}/auth/signup`, body, { 'x-organization-id': id as string });
    for (let sent = 1; sent <= 3; sent += 1) {
      await join(nice?.id);
      await mailsTo(limited, email, sent);
    }
    await join(nasty?.id);
    await settleMails(limited);
    const mail = (await mailsTo(limited, email, 3)).at(-1) as StoredMail;
    expect(mail.text).toContain('“Nice”');
    expect((await post(`${limited.url}/auth/verify-email`, { token: tokenOf(mail) })).status).toBe(200);
    const joined = await limited.orm.em.fork().find(Membership, { organization_id: [nice?.id, nasty?.id] as string[] });
    expect(joined.map(({ organization_id }) => organization_id)).toEqual([nice?.id]);
  });
});

describe('an imported, unverified account', () => {
  it('keeps its password if a stranger signs up with its address', async () => {
    const { email } = await insertUser(server.orm, { verified: false, password: owners });
    const [first] = await signUp(email, strangers, 1, { founds: 'A trap' });
    expect(first?.text).toContain('“A trap”');
    await post(`${server.url}/auth/verify-email-request`, { email });
    const [, second] = await mailsTo(server, email, 2);
    expect((await verify(second)).status).toBe(200);
    expectCode(await login(email, strangers), 400, 'INVALID_CREDENTIALS');
    expect((await profile(email, owners)).organizations).toEqual([]);
  });

  it('gets a link that sets a password if it has none', async () => {
    const { email } = await insertUser(server.orm, { verified: false, password: null });
    await post(`${server.url}/auth/verify-email-request`, { email });
    const [mail] = await mailsTo(server, email);
    expect(mail).toMatchObject({ subject: 'Choose a password' });
    expect((await reset(mail, owners)).status).toBe(200);
    await profile(email, owners);
  });
});
