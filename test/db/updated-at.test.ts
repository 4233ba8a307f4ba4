import { describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { deleteStep } from '../../src/domain/leaving/delete-steps.ts';
import { acceptWaiting } from '../../src/domain/subscription/places.ts';
import { insertEvent, insertSubscription, insertUser, password } from '../support/fixtures.ts';
import { event as given, all as givenRows, user as givenUser, useImports } from '../support/import.ts';
import { send } from '../support/send.ts';
import { createTeam, serve } from '../support/server.ts';
import { sql } from '../support/sql.ts';

const server = await serve();
const { importRows, select } = useImports();

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
    const { organizationId } = await createTeam(server);
    const { id: eventId } = await insertEvent(server.orm, { organizationId, dateStart });
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
    const { organizationId, member } = await createTeam(server);
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
    const { organizationId } = await createTeam(server);
    const { id } = await insertEvent(server.orm, { organizationId, dateStart });
    await setAhead('event', 'id', id);
    await server.execute('update organization set deleted_at = now() where id = ?', [organizationId]);
    await deleteStep({ db: new PostgresDatabase(server.orm), bounded: true }, []);
    expect(await server.execute('select status from event where id = ?', [id])).toEqual([{ status: 2 }]);
    await expectKept('event', 'id', id);
  });

  it('does not go back with a write by a process whose clock is behind', async () => {
    const { organizationId, manager } = await createTeam(server);
    const { id } = await insertEvent(server.orm, { organizationId, dateStart });
    await setAhead('event', 'id', id);
    expect((await send(server, manager, `PATCH /events/${id}`, { name: 'Other' })).status).toBe(200);
    await expectKept('event', 'id', id);
  });

  it('does not go back with an import that gives none', async () => {
    await importRows(givenRows);
    await select(`update event set updated_at = now() + interval '1 hour'`);
    await select(`update "user" set updated_at = now() + interval '1 hour'`);
    await importRows({ users: [{ ...givenUser, name: 'Eve' }], events: [{ ...given, location: 'Hall' }] });
    expect(
      await select(`select e.location, u.name, e.updated_at > now() + interval '50 minutes' as event,
        u.updated_at > now() + interval '50 minutes' as person from event e, "user" u`),
    ).toEqual([{ location: 'Hall', name: 'Eve', event: true, person: true }]);
  });
});
