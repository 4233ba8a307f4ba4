import { randomUUIDv7 } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { AuditEntry } from '../../src/domain/audit/audit-entry.table.ts';
import { Invitation } from '../../src/domain/invitation/invitation.entity.ts';
import { deleteStep } from '../../src/domain/leaving/delete-steps.ts';
import { Session } from '../../src/domain/session/session.table.ts';
import { acceptWaiting } from '../../src/domain/subscription/places.ts';
import { insertEvent, insertSubscription, insertUser, password } from '../support/fixtures.ts';
import { mailedToken } from '../support/guests.ts';
import { event as given, all as givenRows, user as givenUser, importInto } from '../support/import.ts';
import { expectCode, send, trailOf } from '../support/send.ts';
import { createTeam, isAccepted, post, refreshWith, serve, signIn, type Team } from '../support/server.ts';
import { sql } from '../support/sql.ts';

// What imports, jobs and processes with other clocks write beside the requests of a service.

const server = await serve();
let team: Team;
beforeEach(async () => {
  team = await createTeam(server);
});

const importRows = (document: object) => importInto(server.databaseUrl, document);
const userRow = ({ userId: id, email }: { userId: string; email: string }, further: object = {}) => {
  return { id, email, name: 'Imported', ...further };
};

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

/** Another process, whose clock is ahead, wrote these rows. */
const setAhead = (table: string, column: string, value: string) =>
  server.execute(
    `update ${table} set created_at = now() + interval '1 hour', updated_at = now() + interval '2 hours'
    where ${column} = ?`,
    [value],
  );
/** Checks that `updated_at` is where {@link setAhead} set it. */
async function expectKept(table: string, column: string, value: string): Promise<void> {
  const sql = `select bool_and(updated_at = created_at + interval '1 hour') as kept from ${table} where ${column} = ?`;
  expect(await server.execute(sql, [value])).toEqual([{ kept: true }]);
}
const dateStart = new Date('2031-05-01T10:00:00Z');

describe('updated_at', () => {
  it('is not before the creation of a subscription that moves up in a transaction which waited for a lock', async () => {
    const { id: eventId } = await insertEvent(server.orm, { organizationId: team.organizationId, dateStart });
    const { id: userId } = await insertUser(server.orm);
    const db = new PostgresDatabase(server.orm);
    await db.transaction(async (unit) => {
      await unit.row(sql`select pg_sleep(0.01)`);
      await insertSubscription(server.orm, { eventId, userId, status: 'pending' });
      await server.execute(`update subscription set status = 'waitlisted', waiting_since = now()`);
      const options = { notify: false, now: new Date(), bounded: true };
      expect(await acceptWaiting((statement) => unit.rows(statement), [eventId], options)).toHaveLength(1);
    });
    const text = 'select status, updated_at >= created_at as later from subscription';
    expect(await server.execute(text)).toEqual([{ status: 'accepted', later: true }]);
  });

  it('does not go back when a person is erased, nor that of their subscriptions', async () => {
    const { organizationId, member } = team;
    const { id: eventId } = await insertEvent(server.orm, { organizationId, dateStart });
    const { id: past } = await insertEvent(server.orm, { organizationId, dateStart: new Date('2020-05-01T10:00:00Z') });
    await insertSubscription(server.orm, { eventId, userId: member.userId });
    await insertSubscription(server.orm, { eventId: past, userId: member.userId, answers: { badge: 'Ada' } });
    await setAhead('subscription', 'user_id', member.userId);
    await setAhead('"user"', 'id', member.userId);
    expect((await send(server, member, 'DELETE /auth/me', { password })).status).toBe(200);
    const text = 'select status, answers from subscription where user_id = ? order by id';
    expect(await server.execute(text, [member.userId])).toEqual([
      { status: 'cancelled', answers: null },
      { status: 'accepted', answers: null },
    ]);
    await expectKept('subscription', 'user_id', member.userId);
    await expectKept('"user"', 'id', member.userId);
  });

  it('does not go back when an organization that is deleted cancels its events', async () => {
    const { organizationId } = team;
    const { id } = await insertEvent(server.orm, { organizationId, dateStart });
    await setAhead('event', 'id', id);
    await server.execute('update organization set deleted_at = now() where id = ?', [organizationId]);
    await deleteStep({ db: new PostgresDatabase(server.orm), bounded: true }, []);
    expect(await server.execute('select status from event where id = ?', [id])).toEqual([{ status: 2 }]);
    await expectKept('event', 'id', id);
  });

  it('does not go back with a write by a process whose clock is behind', async () => {
    const { organizationId, manager } = team;
    const { id } = await insertEvent(server.orm, { organizationId, dateStart });
    await setAhead('event', 'id', id);
    expect((await send(server, manager, `PATCH /events/${id}`, { name: 'Other' })).status).toBe(200);
    await expectKept('event', 'id', id);
  });

  it('does not go back with an import that gives none', async () => {
    await importRows(givenRows);
    for (const table of ['event', '"user"'])
      await server.execute(`update ${table} set updated_at = now() + interval '1 hour'`);
    await importRows({ users: [{ ...givenUser, name: 'Eve' }], events: [{ ...given, location: 'Hall' }] });
    const found = await server.execute(
      `select e.location, u.name, e.updated_at > now() + interval '50 minutes' as event,
        u.updated_at > now() + interval '50 minutes' as person from event e, "user" u where e.id = ? and u.id = ?`,
      [given.id, givenUser.id],
    );
    expect(found).toEqual([{ location: 'Hall', name: 'Eve', event: true, person: true }]);
  });
});
