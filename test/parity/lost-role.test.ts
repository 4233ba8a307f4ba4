import type { Pool, PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { createKey } from '../support/api-keys.ts';
import { insertEvent, insertSubscription } from '../support/fixtures.ts';
import { untilLocked } from '../support/locks.ts';
import { send } from '../support/send.ts';
import { join, serveTeam } from '../support/team.ts';
import { facesOf, type WriteFace } from '../support/write-faces.ts';

const { server, team } = await serveTeam();
const pool: Pool = await server.orm.driver.getConnection().getNativeClient();

/** Holds the locks that writes of events wait for, until it is released. */
async function hold(event: string): Promise<PoolClient> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select from event where id = $1 for update', [event]);
  await client.query(`select pg_advisory_xact_lock(hashtextextended('slugs ' || $1::text, 0))`, [team.organizationId]);
  return client;
}

const dates = { date_start: '2031-05-03T10:00:00Z', date_end: '2031-05-03T12:00:00Z' };
type Manager = Parameters<WriteFace['createEvent']>[0];

const writes: [
  string,
  (face: WriteFace, manager: Manager, event: string, row: string) => Promise<{ code: string | null }>,
][] = [
  ['createEvent', (face, manager) => face.createEvent(manager, { name: 'Late', ...dates })],
  ['updateEvent', (face, manager, event) => face.updateEvent(manager, event, { name: 'Late' })],
  ['deleteEvent', (face, manager, event) => face.deleteEvent(manager, event)],
  ['duplicateEvent', (face, manager, event) => face.duplicateEvent(manager, event, {})],
  ['a move of a subscription', (face, manager, event, row) => face.move(manager, event, row, { status: 'declined' })],
  ['a move of several', (face, manager, event, row) => face.transition(manager, event, [row], 'declined')],
  ['subscriptions of several', (face, manager, event) => face.bulk(manager, event, [{ user_id: team.member.userId }])],
  [
    'a subscription of somebody',
    (face, manager, event) => face.subscribe(manager, event, { user_id: team.member.userId }),
  ],
];

describe.each(facesOf(server))('by $name', (face) => {
  it.each(writes)('%s that waited for its turn is refused to who has lost the role meanwhile', async (_name, write) => {
    const { organizationId } = team;
    const manager = await join(server, organizationId, 'manager');
    const { id } = await insertEvent(server.orm, { organizationId, status: 1 });
    const holder = await join(server, organizationId, 'member');
    const row = await insertSubscription(server.orm, { eventId: id, userId: holder.userId, status: 'accepted' });
    const client = await hold(id);
    const written = write(face, manager, id, row.id);
    await untilLocked(server);
    await send(server, team.owner, `PATCH /members/${manager.membershipId}`, { role: 'member' });
    await client.query('commit');
    client.release();
    expect((await written).code).toBe('FORBIDDEN');
  });

  it('a write that waits while its key ends gets INVALID_TOKEN, and writes nothing', async () => {
    const { id } = await insertEvent(server.orm, { organizationId: team.organizationId, name: 'Before' });
    const key = await createKey(server, team.owner);
    const client = await hold(id);
    const written = face.updateEvent({ accessToken: key.secret }, id, { name: 'Late' });
    await untilLocked(server);
    await client.query('update api_key set ended_at = now() where id = $1', [key.id]);
    await client.query('commit');
    client.release();
    expect((await written).code).toBe('INVALID_TOKEN');
    expect((await send(server, team.owner, `GET /events/${id}`)).body.name).toBe('Before');
  });
});
