import { describe, expect, it } from 'vitest';
import { createKey } from '../support/api-keys.ts';
import { insertEvent, insertSubscription } from '../support/fixtures.ts';
import { holding, untilLocked } from '../support/locks.ts';
import { send } from '../support/send.ts';
import { join, serveTeam } from '../support/team.ts';
import { facesOf, type WriteFace } from '../support/write-faces.ts';

const { server, team } = await serveTeam();

/** Holds the locks that writes of events wait for. */
async function hold(event: string) {
  const holder = await holding(server, 'select from event where id = ? for update', [event]);
  await holder.execute(`select pg_advisory_xact_lock(hashtextextended('slugs ' || ?::text, 0))`, [team.organizationId]);
  return holder;
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
    const lock = await hold(id);
    const written = write(face, manager, id, row.id);
    await untilLocked(server);
    await send(server, team.owner, `PATCH /members/${manager.membershipId}`, { role: 'member' });
    await lock.commit();
    expect((await written).code).toBe('FORBIDDEN');
  });

  it('a write that waits while its key ends gets INVALID_TOKEN, and writes nothing', async () => {
    const { id } = await insertEvent(server.orm, { organizationId: team.organizationId, name: 'Before' });
    const key = await createKey(server, team.owner);
    const lock = await hold(id);
    const written = face.updateEvent({ accessToken: key.secret }, id, { name: 'Late' });
    await untilLocked(server);
    await lock.execute('update api_key set ended_at = now() where id = ?', [key.id]);
    await lock.commit();
    expect((await written).code).toBe('INVALID_TOKEN');
    expect((await send(server, team.owner, `GET /events/${id}`)).body.name).toBe('Before');
  });
});
