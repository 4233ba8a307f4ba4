import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import { Organization } from '../../src/domain/organization/organization.entity.ts';
import { User } from '../../src/domain/user/user.entity.ts';
import { entriesOf, insertMember, insertOrganization, insertUser, password } from '../support/fixtures.ts';
import { mailedToken, mailsTo, settleMails, tokenOf } from '../support/guests.ts';
import { rawRequest } from '../support/raw.ts';
import { expectCode, send, statusesOf } from '../support/send.ts';
import { post, serve, signIn } from '../support/server.ts';

const server = await serve();

const address = () => `new-${randomUUIDv7()}@example.org`;
const signUp = (body: unknown, headers: Record<string, string> = {}) =>
  post(`${server.url}/auth/signup`, body, headers);
const valid = { email: 'quaint-osprey@example.org', password, name: 'Ada', organization_name: 'Mine' };
const verify = (token: string) => post(`${server.url}/auth/verify-email`, { token });
const em = () => server.orm.em.fork();

async function me(email: string, secret = password) {
  type Profile = { name: string; organizations: { id: string; slug: string; role: string }[] };
  return (await send<Profile>(server, await signIn(server.url, email, secret), 'GET /auth/me')).body;
}

describe('POST /auth/signup', () => {
  it('makes an account that owns a new organization, and may sign in once its address is proven', async () => {
    const email = address();
    const response = await signUp({ email, password, name: ' Ada ', organization_name: 'Ada’s Café' });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.body).toBe(true);
    expectCode(await post(`${server.url}/auth/login`, { email, password }), 401, 'USER_NOT_VERIFIED');
    expect((await verify(await mailedToken(server, email))).body).toBe(true);
    const profile = await me(email);
    expect(profile).toMatchObject({ name: 'Ada', organizations: [{ slug: 'ada-s-cafe', role: 'owner' }] });
    const organization = await em().findOneOrFail(Organization, profile.organizations[0]?.id as string);
    expect(organization).toMatchObject({ name: 'Ada’s Café', signup: 'open' });
  });

  it('refuses an organization by invitation and an unknown one alike, before it looks at the body', async () => {
    const closed = await insertOrganization(server.orm, { signup: 'invite' });
    const answers = await Promise.all(
      [closed.id, randomUUIDv7()].flatMap((id) =>
        [{ email: address(), password, name: 'Ada' }, { nonsense: 1 }].map(async (body) => {
          const answer = await signUp(body, { 'x-organization-id': id });
          return expectCode(answer, 403, 'ORGANIZATION_FORBIDDEN');
        }),
      ),
    );
    expect(new Set(answers).size).toBe(1);
    expect(await em().count(Membership, { organization_id: closed.id })).toBe(0);
  });

  it.each([
    ['malformed', ['abc']],
    ['empty', ['']],
    ['doubled', [randomUUIDv7(), randomUUIDv7()]],
  ])('answers ORGANIZATION_REQUIRED where the header is %s', async (_name, ids) => {
    const headers = [...ids.flatMap((id) => ['x-organization-id', id]), 'content-type', 'application/json'];
    const body = JSON.stringify({ email: address(), password, name: 'Ada' });
    const answer = await rawRequest(`${server.url}/auth/signup`, { method: 'POST', headers, body });
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('"ORGANIZATION_REQUIRED"') });
  });

  it('refuses neither and both of header and organization_name', async () => {
    const { id } = await insertOrganization(server.orm);
    const body = { email: address(), password, name: 'Ada' };
    const both = await signUp({ ...body, organization_name: 'Mine' }, { 'x-organization-id': id });
    for (const answer of [await signUp(body), both])
      expectCode(answer, 400, 'VALIDATION_ERROR', ['/organization_name']);
    expect(await em().count(User, { email: body.email })).toBe(0);
  });

  async function expectFaults(body: object, expected: string[]) {
    const answer = await signUp(body);
    expectCode(answer, 400, 'VALIDATION_ERROR');
    const found = (answer.body.errors as { pointer: string; code: string }[]).map(
      ({ pointer, code }) => `${pointer} ${code}`,
    );
    expect(found.sort()).toEqual(expected.sort());
    expect(await em().count(User, { email: valid.email })).toBe(0);
  }

  it.each<[string, object, ...string[]]>([
    ['an empty body', {}, 'email', 'password', 'name', 'organization_name'],
    ['a further field', { ...valid, role: 'owner' }, 'role'],
    ['a name that is blank', { ...valid, name: ' \t' }, 'name'],
    ['a name that is too long', { ...valid, name: 'ä'.repeat(201) }, 'name'],
  ])('refuses %s', async (_name, body, ...fields) => {
    const faults = fields.map((field) => `/${field} VALIDATION_ERROR`);
    await expectFaults(body, faults);
    const weak = { ...body, password: 'quaint-osprey' };
    if ('email' in body) await expectFaults(weak, [...faults, '/password WEAK_PASSWORD']);
  });

  // too short in whatever units and normal form, too long, too common, and the address or a part of it
  it.each([
    ...['aB3$567', '🦊'.repeat(7), 'e\u0301'.repeat(7), `${'x1'.repeat(128)}y`, 'Password1'],
    ...['Quaint-Osprey@example.org', 'quaint-osprey@example.org1', 'QUAINT-OSPREY'],
  ])('refuses the password %j', async (secret) => {
    await expectFaults({ ...valid, password: secret }, ['/password WEAK_PASSWORD']);
  });

  it.each([
    ['of 8 code points', '🦊🦝🐻🐼🐨🐯🦁🐮'],
    ['of 256 code points', 'x1🦊z'.repeat(64)],
    ['of blanks and other scripts', 'пароль из слов'],
  ])('takes a password %s, in either normal form', async (_name, chosen) => {
    const email = address();
    await signUp({ email, password: `${chosen}`.normalize('NFD'), name: 'A', organization_name: 'B' });
    await verify(await mailedToken(server, email));
    await signIn(server.url, email, chosen.normalize('NFC'));
  });
});

describe('POST /auth/signup with an address that is taken', () => {
  it('changes and creates nothing; the owner gets a mail', async () => {
    const owner = await insertUser(server.orm);
    const organizations = await em().count(Organization);
    const body = { password: 'another good one', name: 'Mallory', organization_name: 'Mallory’s' };
    const answer = await signUp({ ...body, email: owner.email.toUpperCase() });
    expect([answer.status, answer.body]).toEqual([200, true]);
    expect(await em().count(Organization)).toBe(organizations);
    expect(await em().findOneOrFail(User, owner.id)).toMatchObject({ email: owner.email, name: 'Ada Lovelace' });
    await signIn(server.url, owner.email);
    const [mail] = await mailsTo(server, owner.email);
    expect(mail).toMatchObject({ subject: 'You already have an account' });
    expect(JSON.stringify(mail)).not.toContain('Mallory');
    const entries = await entriesOf(server, { subject_id: owner.id, action: 'user.signup_refused' });
    expect(entries).toMatchObject([{ detail: { reason: 'address_taken' } }]);
  });

  it('joins an open organization by the link of the mail, and not without', async () => {
    const { id } = await insertOrganization(server.orm, { name: 'The <b>Society</b>' });
    const owner = await insertMember(server.orm);
    await signUp({ email: owner.email, password: 'another good one', name: 'M' }, { 'x-organization-id': id });
    const [mail] = await mailsTo(server, owner.email);
    expect(mail?.text).toContain('“The <b>Society</b>”');
    expect(mail?.html).toContain('The &lt;b&gt;Society');
    expect((await me(owner.email)).organizations.map((each) => each.id)).toEqual([owner.organizationId]);
    expect((await verify(tokenOf(mail as { text: string }))).status).toBe(200);
    const joined = (await me(owner.email)).organizations.find((each) => each.id === id);
    expect(joined).toMatchObject({ role: 'member' });
  });

  it('makes one account of 10 sign-ups at once', async () => {
    const email = address();
    const statuses = await statusesOf(10, (index) =>
      signUp({ ...valid, email: index % 2 ? email : email.toUpperCase(), organization_name: 'Ten at once' }),
    );
    expect(statuses).toEqual(Array(10).fill(200));
    expect(await em().execute('select id from "user" where lower(email) = ?', [email])).toHaveLength(1);
    await settleMails(server);
    // the form sent twice: each of the mails confirms, and the newest link is the one that is good
    const mails = await mailsTo(server, email, 10);
    expect(new Set(mails.map(({ subject }) => subject))).toEqual(new Set(['Confirm your e-mail address']));
    const used = await Promise.all(mails.map((mail) => verify(tokenOf(mail))));
    expect(used.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    expect(await em().count(Organization, { name: 'Ten at once' })).toBe(1);
    expect((await me(email)).organizations).toEqual([expect.objectContaining({ role: 'owner' })]);
  });
});

describe('POST /auth/signup sent twice', () => {
  it('sends the verification again, with the new request; the older link expires', async () => {
    const { id } = await insertOrganization(server.orm, { name: 'The Society' });
    const email = address();
    await signUp({ email, password, name: 'Ada', organization_name: 'A first thought' });
    const [first] = await mailsTo(server, email);
    expect(first?.text).toContain('to create “A first thought”');
    const again = { email: email.toUpperCase(), password: password.normalize('NFD'), name: 'Ada L.' };
    expect((await signUp(again, { 'x-organization-id': id })).body).toBe(true);
    const [, second] = await mailsTo(server, email, 2);
    expect(second).toMatchObject({ subject: first?.subject, text: expect.stringContaining('to join “The Society”') });
    expectCode(await verify(tokenOf(first as { text: string })), 400, 'INVALID_VERIFICATION_TOKEN');
    expectCode(await post(`${server.url}/auth/login`, { email, password }), 401, 'USER_NOT_VERIFIED');
    expect((await verify(tokenOf(second as { text: string }))).status).toBe(200);
    expect(await me(email)).toMatchObject({ name: 'Ada L.', organizations: [{ id, role: 'member' }] });
    expect(await em().count(Organization, { name: 'A first thought' })).toBe(0);
  });

  it('sends the verification again after the first link has expired and is gone', async () => {
    const email = address();
    const body = { email, password, name: 'Ada', organization_name: 'Late' };
    await signUp(body);
    await mailsTo(server, email);
    await em().execute('delete from one_time_token where user_id = (select id from "user" where email = ?)', [email]);
    await signUp(body);
    expect((await verify(await mailedToken(server, email, 2))).status).toBe(200);
    expect((await me(email)).organizations).toHaveLength(1);
  });
});
