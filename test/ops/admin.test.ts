import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nouns } from '../../src/commands/admin/nouns.ts';
import { runCommand, typeCommand } from '../support/command.ts';
import { insertOrganization, insertUser } from '../support/fixtures.ts';
import { mailsTo } from '../support/guests.ts';
import { lacks } from '../support/programs.ts';
import { startedReceiver } from '../support/receiver.ts';
import { send } from '../support/send.ts';
import { createKey, createTeam, isAccepted, join, post, serveTeam, signIn } from '../support/server.ts';
import { allowLoopback, createWebhook, messagesOf } from '../support/webhooks.ts';
import { created, restFace } from '../support/write-faces.ts';

const { server, team } = await serveTeam({ env: allowLoopback });

const admin = (...args: string[]) =>
  runCommand('admin', args, { DATABASE_URL: server.databaseUrl, PUBLIC_URL: 'https://events.example' });

/** What a command prints as JSON, beside the running service. */
async function json<Value = Record<string, unknown>>(...args: string[]): Promise<Value> {
  const { code, stdout, stderr } = await admin(...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Value;
}

/** The newest entry of the audit trail about something. */
async function lastEntry(subjectId: string) {
  const [entry] = await server.execute(
    'select action, actor_id, detail from audit_entry where subject_id = ? order by created_at desc limit 1',
    [subjectId],
  );
  return entry;
}

const byOperator = (action: string, detail: object = {}) => ({
  action,
  actor_id: null,
  detail: expect.objectContaining({ ...detail, by: 'operator' }),
});

it('the audit trail is listed by request and by organization, also what belongs to none', async () => {
  const refused = await post(`${server.url}/auth/login`, { email: team.owner.email, password: 'wrong' });
  const requestId = String(refused.headers.get('x-request-id'));
  const lines = await json<object[]>('audit', 'list', '--request', requestId);
  expect(lines).toEqual([
    expect.objectContaining({ action: 'session.refused', subject_id: team.owner.userId, request_id: requestId }),
  ]);
  const other = await insertOrganization(server.orm);
  expect(await json('audit', 'list', '--request', requestId, '--organization', other.id)).toEqual([]);
  expect((await admin('audit', 'list', '--request', requestId)).stdout).toMatch(
    /session\.refused .*\{"reason":"wrong_password"\}/,
  );
});

describe('npm run admin', () => {
  it('explains itself, and says 2 for a line that it does not understand, without a database', async () => {
    const env = { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/none' };
    const run = (...args: string[]) => runCommand('admin', args, env);
    const help = await run('--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const [noun, verbs] of Object.entries(nouns)) {
      for (const verb of Object.keys(verbs)) expect(help.stdout).toContain(`${noun} ${verb}`);
    }
    expect((await run('users', 'erase', '--help')).stdout).toContain('--yes');
    const wrong: [string[], RegExp][] = [
      [['people'], /There is no people; there are users/],
      [['users', 'rename'], /users has no rename; it has list/],
      [['users', 'show'], /users show takes USER; got 0/],
      [['users', 'list', '--colour'], /Unknown option '--colour'/],
    ];
    for (const [args, reason] of wrong) {
      expect(await run(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(reason) });
    }
    const unreachable = expect.stringMatching(/^Cannot use the database at DATABASE_URL: .*ECONNREFUSED/);
    const away = await run('users', 'list');
    expect(away).toMatchObject({ code: 1, stderr: unreachable });
    expect(away.stderr).not.toContain('hidden');
  });

  it('creates no database where there is none', async () => {
    const none = { code: 1, stderr: expect.stringMatching(/There is no database under/) };
    expect(await runCommand('admin', ['users', 'list'], { DATA_DIR: '/nonexistent/data' })).toMatchObject(none);
  });

  it('lists in pages, for people and as JSON, and names what it does not know', async () => {
    const first = await json<{ id: string; email: string }[]>('users', 'list', '--limit', '2');
    const rest = await json<{ id: string }[]>('users', 'list', '--after', first[1]?.id as string);
    expect(first).toHaveLength(2);
    expect(rest.map(({ id }) => id)).toContain(team.owner.userId);
    const found = await admin('users', 'list', '--search', team.owner.email.toUpperCase());
    expect(found.stdout.split('\n')[0]).toMatch(/^id +email +name +verified_at/);
    expect(found.stdout).toContain(team.owner.userId);
    expect(await admin('users', 'list', '--limit', '0')).toMatchObject({ code: 2, stdout: '' });
    expect(await admin('users', 'list', '--organization', 'x')).toMatchObject({ code: 2, stdout: '' });
    for (const args of [
      ['users', 'show', randomUUIDv7()],
      ['users', 'erase', 'nobody@example.org', '--yes'],
      ['organizations', 'show', 'x'],
      ['sessions', 'end', randomUUIDv7()],
      ['keys', 'end', randomUUIDv7(), '--yes'],
      ['webhooks', 'pause', 'x'],
    ]) {
      const notFound = { code: 1, stdout: '', stderr: expect.stringMatching(/^Not found among/) };
      expect(await admin(...args)).toMatchObject(notFound);
    }
  });

  it('lets nothing that a person is called reach the terminal', async () => {
    const { id } = await insertUser(server.orm, { name: 'Mallory\u001b[2J\u202e' });
    expect((await admin('users', 'show', id)).stdout).toContain('Mallory�[2J�');
  });
});

describe('users', () => {
  it('are verified as by the mail, with what their sign-up asked for, unless somebody else signed up, too', async () => {
    const { id: organization_id } = await insertOrganization(server.orm);
    const fields = { email: `new-${randomUUIDv7()}@example.org`, name: 'Nora', password: 'a long enough phrase 1' };
    const { email, password } = fields;
    const signedUp = await post(`${server.url}/auth/signup`, fields, { 'x-organization-id': organization_id });
    expect(signedUp.status).toBe(200);
    const shown = await json('users', 'verify', email);
    expect(shown).toMatchObject({ email, name: 'Nora', memberships: [{ organization_id, role: 'member' }] });
    expect(await lastEntry(shown.id as string)).toMatchObject({ action: 'member.joined' });
    await signIn(server.url, email, password);

    const disputed = await insertUser(server.orm, { verified: false });
    await server.execute(
      `insert into pending_sign_up (user_id, name, disputed, created_at) values (?, 'Mallory', true, now())`,
      [disputed.id],
    );
    const refused = { code: 1, stderr: expect.stringMatching(/password link/) };
    expect(await admin('users', 'verify', disputed.id)).toMatchObject(refused);
  });

  it('get a link to set a password, printed or mailed', async () => {
    const { id, email } = await insertUser(server.orm);
    const { link } = await json('users', 'password-link', email);
    expect(link).toMatch(/^https:\/\/events\.example\/reset-password\?token=[\w-]+$/);
    expect(await lastEntry(id)).toEqual(byOperator('user.password_reset_requested'));
    const [password, token] = ['quite another long phrase', String(link).split('token=')[1]];
    await post(`${server.url}/auth/reset-password`, { token, password });
    await signIn(server.url, email, password);
    await json('users', 'password-link', id, '--send');
    // the first tells that the password was changed
    expect((await mailsTo(server, email, 2))[1]?.text).toContain('/reset-password?token=');
    expect(await lastEntry(id)).toMatchObject(byOperator('user.password_reset_requested'));
  });

  it('lose their sessions at once, all or one', async () => {
    const person = await join(server, team.organizationId, 'member');
    const other = await signIn(server.url, person.email);
    const listed = await json<{ id: string }[]>('sessions', 'list', '--user', person.userId);
    expect(listed.map(({ id }) => id).sort()).toEqual([person.sessionId, other.sessionId].sort());
    await json('sessions', 'end', other.sessionId);
    await expect.poll(() => isAccepted(server.url, other.accessToken)).toBe(false);
    expect(await isAccepted(server.url, person.accessToken)).toBe(true);
    expect(await lastEntry(person.userId)).toEqual(byOperator('session.ended', { session: other.sessionId }));
    expect(await json('users', 'end-sessions', person.email)).toEqual({ ended: 1 });
    await expect.poll(() => isAccepted(server.url, person.accessToken)).toBe(false);
  });

  it('are erased when confirmed, but not the last owner', async () => {
    const person = await join(server, team.organizationId, 'member');
    expect(await admin('users', 'erase', person.email)).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining(`This destroys “${person.email}”: confirm with --yes.`),
    });
    expect(await isAccepted(server.url, person.accessToken)).toBe(true);
    await json('users', 'erase', person.email, '--yes');
    await expect.poll(() => isAccepted(server.url, person.accessToken)).toBe(false);
    expect(await lastEntry(person.userId)).toEqual(byOperator('user.erased'));
    await mailsTo(server, person.email);
    expect(await admin('users', 'erase', team.owner.email, '--yes')).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(/^The user is the last owner of “An organization”/),
    });
  });
});

it.skipIf(lacks('script'))('whoever sits at a terminal types the name of what they destroy', async () => {
  const { id, email } = await insertUser(server.orm);
  const erase = (answer: string) =>
    typeCommand('admin', ['users', 'erase', id], { DATABASE_URL: server.databaseUrl }, answer);
  const { code, screen } = await erase('yes');
  expect([code, screen]).toEqual([1, expect.stringContaining('nothing was changed')]);
  expect(screen).toContain(`This destroys “${email}”. Type the name to continue:`);
  expect(await json('users', 'show', id)).toMatchObject({ email });
  expect(await erase(email)).toMatchObject({ code: 0, screen: expect.stringContaining('Erased.') });
  expect(await admin('users', 'show', id)).toMatchObject({ code: 1 });
});

describe('organizations', () => {
  it('get an owner, who is a member or not yet, but not one whose address is not verified', async () => {
    const stranger = await insertUser(server.orm);
    const addOwner = (user: string) => json('organizations', 'add-owner', team.organizationId, user);
    await addOwner(stranger.email);
    expect(await lastEntry(stranger.id)).toEqual(byOperator('member.joined', { role: 'owner' }));
    const shown = await addOwner(team.manager.userId);
    const promoted = byOperator('member.role_changed', { from: 'manager', to: 'owner' });
    expect(await lastEntry(team.manager.userId)).toEqual(promoted);
    const owners = (shown.owners as { id: string }[]).map(({ id }) => id);
    expect(owners.sort()).toEqual([team.owner.userId, team.manager.userId, stranger.id].sort());
    expect((await send(server, team.manager, 'GET /audit')).status).toBe(200);
    const { id } = await insertUser(server.orm, { verified: false });
    expect(await admin('organizations', 'add-owner', team.organizationId, id)).toMatchObject({ code: 1 });
  });

  it('are deleted when confirmed, and the service deletes their rows', async () => {
    const other = await createTeam(server);
    const { organizationId } = other;
    const unconfirmed = { code: 2, stderr: expect.stringContaining('“An organization”') };
    expect(await admin('organizations', 'delete', organizationId)).toMatchObject(unconfirmed);
    await json('organizations', 'delete', organizationId, '--yes');
    const answer = async () => (await send(server, other.owner, 'GET /events')).status;
    await expect.poll(answer).toBe(403);
    expect(await admin('organizations', 'show', organizationId)).toMatchObject({ code: 1 });
    server.services.jobs.nudge('periodic');
    const left = () => server.execute('select from organization where id = ?', [organizationId]);
    await expect.poll(left).toEqual([]);
  });
});

it('keys end when confirmed, from the next request on', async () => {
  const key = await createKey(server, team.owner, { name: 'Turnstile' });
  expect(await json('keys', 'list', '--organization', team.organizationId)).toMatchObject([{ id: key.id }]);
  expect(await admin('keys', 'end', key.id)).toMatchObject({ code: 2, stderr: expect.stringContaining('Turnstile') });
  await json('keys', 'end', key.id, '--yes');
  await expect.poll(async () => (await send(server, key, 'GET /events')).status).toBe(401);
  expect(await lastEntry(key.id)).toEqual(byOperator('api_key.ended', { name: 'Turnstile' }));
});

it('webhooks are paused, go on, and send again what was', async () => {
  const receiver = await startedReceiver();
  const { id } = await createWebhook(server, team.owner, { url: receiver.url, kinds: ['event'] });
  await json('webhooks', 'pause', id);
  expect(await lastEntry(id)).toEqual(byOperator('webhook.changed', { fields: ['status'] }));
  await created(restFace(server), team.owner);
  expect(await json('webhooks', 'list', '--organization', team.organizationId)).toMatchObject([
    { id, status: 'paused', pending: 1 },
  ]);
  expect(receiver.received).toEqual([]);
  await json('webhooks', 'resume', id);
  await messagesOf(receiver, 1, 30_000);
  expect(await admin('webhooks', 'replay', id)).toMatchObject({ code: 2 });
  const noTime = { code: 2, stderr: expect.stringMatching(/^Must be "start", or a time/) };
  expect(await admin('webhooks', 'replay', id, '--since', 'yesterday')).toMatchObject(noTime);
  await json('webhooks', 'replay', id, '--since', 'start');
  expect(await lastEntry(id)).toEqual(byOperator('webhook.replayed', { since: 'start' }));
  await messagesOf(receiver, 2, 30_000);
});
