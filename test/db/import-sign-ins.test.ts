import { randomUUIDv7 } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../src/domain/audit/audit-entry.table.ts';
import { Invitation } from '../../src/domain/invitation/invitation.entity.ts';
import { Session } from '../../src/domain/session/session.table.ts';
import { password } from '../support/fixtures.ts';
import { mailedToken } from '../support/guests.ts';
import { importInto } from '../support/import.ts';
import { expectCode, send, trailOf } from '../support/send.ts';
import { createTeam, isAccepted, post, refreshWith, serve, signIn, type Team } from '../support/server.ts';

const server = await serve();
let team: Team;
beforeEach(async () => {
  team = await createTeam(server);
});

const importRows = (document: object) => importInto(server.databaseUrl, document);
const userRow = ({ userId, email }: { userId: string; email: string }, further: object = {}) => ({
  id: userId,
  email,
  name: 'Imported',
  ...further,
});
const newPassword = 'an imported long phrase';
const living = (userId: string) => server.orm.em.fork().count(Session, { user_id: userId, ended_at: null });

async function resetToken(email: string): Promise<string> {
  await post(`${server.url}/auth/reset-password-request`, { email });
  return await mailedToken(server, email);
}

describe('an import with a password of an account that is there', () => {
  it('ends its sessions and the links that set a password, as a change does, and is in the trail', async () => {
    const { member, owner } = team;
    const second = await signIn(server.url, member.email);
    expect(await isAccepted(server.url, second.accessToken)).toBe(true);
    const token = await resetToken(member.email);
    for (const person of [member, owner]) await send(server, person, 'POST /auth/calendar', {});
    await importRows({ users: [userRow(member, { password: newPassword }), userRow(owner)] });
    const calendars = await server.execute('select user_id from calendar_feed');
    expect(calendars).toEqual([{ user_id: owner.userId }]);

    for (const session of [member, second]) {
      expectCode(await refreshWith(server.url, session.cookie), 401, 'INVALID_TOKEN');
      // the database tells the process
      await expect.poll(() => isAccepted(server.url, session.accessToken), { timeout: 5_000 }).toBe(false);
    }
    const reset = await post(`${server.url}/auth/reset-password`, { token, password: 'a third long phrase' });
    expectCode(reset, 400, 'INVALID_RESET_TOKEN');
    const old = await post(`${server.url}/auth/login`, { email: member.email, password });
    expectCode(old, 400, 'INVALID_CREDENTIALS');
    await signIn(server.url, member.email, newPassword);
    const changes = await trailOf(server, owner, { subject_id: member.userId, action: 'password.changed' });
    expect(changes).toMatchObject([{ actor_id: null, detail: { by: 'import' }, request_id: null }]);
    // who was imported without one stays signed in
    expect((await refreshWith(server.url, owner.cookie)).status).toBe(200);
  });

  it('leaves no session of a sign-in with the old password at the same moment', async () => {
    const { member } = team;
    const login = () => post(`${server.url}/auth/login`, { email: member.email, password });
    const imported = importRows({ users: [userRow(member, { password: newPassword })] });
    await Promise.all(Array.from({ length: 12 }, login));
    await imported;
    expect(await living(member.userId)).toBe(0);
  });
});

describe('an import without a password', () => {
  it('leaves sessions and links as they are', async () => {
    const { member } = team;
    const token = await resetToken(member.email);
    await importRows({ users: [userRow(member, { verified: true })] });
    expect((await refreshWith(server.url, member.cookie)).status).toBe(200);
    const reset = await post(`${server.url}/auth/reset-password`, { token, password: 'a third long phrase' });
    expect(reset.status).toBe(200);
    const written = { subject_id: member.userId, action: 'password.changed' };
    expect(await server.orm.em.fork().count(AuditEntry, written)).toBe(0);
  });

  it('ends links that were mailed to an address that the account no longer has', async () => {
    const { member } = team;
    const token = await resetToken(member.email);
    const email = `moved-${randomUUIDv7()}@example.org`;
    await importRows({ users: [userRow({ ...member, email })] });
    const reset = await post(`${server.url}/auth/reset-password`, { token, password: 'a third long phrase' });
    expectCode(reset, 400, 'INVALID_RESET_TOKEN');
    expect((await refreshWith(server.url, member.cookie)).status).toBe(200);
  });
});

it('an import of new accounts notes no change of a password', async () => {
  const userId = randomUUIDv7();
  await importRows({ users: [userRow({ userId, email: `${userId}@example.org` }, { password: newPassword })] });
  expect(await server.orm.em.fork().count(AuditEntry, { subject_id: userId })).toBe(0);
});

it('an import of a lesser role ends the invitations that the inviter can no longer give', async () => {
  const { manager, organizationId } = team;
  for (const role of ['member', 'manager'])
    await send(server, manager, 'POST /invitations', { email: `${randomUUIDv7()}@example.org`, role });
  const row = { organization_id: organizationId, user_id: manager.userId };
  await importRows({ memberships: [{ ...row, role: 'member' }] });
  await importRows({ memberships: [{ ...row, role: 'manager' }] });
  expect(await server.orm.em.fork().count(Invitation, { organization_id: organizationId })).toBe(0);
});
