import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertEvent, insertOrganization, insertSubscription } from '../support/fixtures.ts';
import { mailsTo, settleMails } from '../support/guests.ts';
import { expectCode, globalId, graphql, type Page, query, send, trailOf } from '../support/send.ts';
import { join, type Person, serveTeam } from '../support/server.ts';
import { created, facesOf, future, mutate, type WrittenEvent } from '../support/write-faces.ts';

// Rules of writing that are the same on both faces (reference/writes.md).

const { server, team } = await serveTeam();

const past = { date_start: '2020-05-01T10:00:00.000Z', date_end: '2020-05-01T12:00:00.000Z' };
const newcomer = () => join(server, team.organizationId, 'member');
const statusOf = async (id: string) =>
  (await server.execute<{ status: string }>('select status from subscription where id = ?', [id]))[0]?.status;
const historyOf = (id: string) =>
  server.execute(
    'select kind, status_from, status_to, actor_id from subscription_change where subscription_id = ? order by created_at',
    [id],
  );

/** Ends a membership, by whoever may. */
async function leave(face: 'rest' | 'graphql', by: Person, id: string): Promise<void> {
  if (face === 'rest') expect((await send(server, by, `DELETE /members/${id}`)).status).toBe(200);
  else
    expect((await mutate(server, by, 'removeMember', 'removedMembershipId', { id })).data).toEqual({
      removeMember: { removedMembershipId: globalId('Membership', id) },
    });
}

describe.each(facesOf(server))('by $name', (face) => {
  const create = async (fields: Record<string, unknown> = {}) => await created(face, team.manager, fields);
  const subscribe = async (person: Person, event: WrittenEvent, fields?: Record<string, unknown>) =>
    (await face.subscribe(fields ? team.manager : person, event.id, fields && { user_id: person.userId, ...fields }))
      .value;

  it.each(['leaves', 'is removed'])('who %s no longer has a live subscription, and the lists move up', async (how) => {
    const [goes, waits] = [await newcomer(), await newcomer()];
    const [full, asked] = [await create({ capacity: 1 }), await create({ registration: 'approval' })];
    const [over, present, gone] = [await create(), await create(), await create()];
    const place = await subscribe(goes, full);
    const waiting = await subscribe(waits, full);
    const finished = await subscribe(goes, over);
    const checkedIn = await subscribe(goes, present);
    const pending = await subscribe(goes, asked);
    const declined = await subscribe(goes, gone);
    await face.updateEvent(team.manager, over.id, past);
    await face.checkIn(team.manager, present.id, checkedIn.id);
    await face.move(team.manager, gone.id, declined.id, { status: 'declined' });
    const elsewhere = await insertEvent(server.orm, { organizationId: (await insertOrganization(server.orm)).id });
    await insertSubscription(server.orm, { eventId: elsewhere.id, userId: goes.userId });

    const by = how === 'leaves' ? goes : team.manager;
    await leave(face.name, by, goes.membershipId);
    const after = await Promise.all(
      [place, waiting, finished, checkedIn, pending, declined].map(({ id }) => statusOf(id)),
    );
    expect(after).toEqual(['cancelled', 'accepted', 'accepted', 'cancelled', 'cancelled', 'declined']);
    const change = { kind: 'status', status_from: 'accepted', status_to: 'cancelled', actor_id: by.userId };
    expect((await historyOf(place.id)).at(-1)).toEqual(change);
    const moved = { kind: 'status', status_from: 'waitlisted', status_to: 'accepted', actor_id: null };
    expect((await historyOf(waiting.id)).at(-1)).toEqual(moved);
    const others = await server.execute('select status from subscription where event_id = ?', [elsewhere.id]);
    expect(others).toEqual([{ status: 'accepted' }]);
    await settleMails(server);
    const subjects = (await mailsTo(server, waits.email, 2)).map(({ subject }) => subject);
    expect(subjects[1]).toContain('You have a place');
  });

  it('the trail records who created, changed and deleted an event', async () => {
    const event = await create({ status: 0 });
    await face.updateEvent(team.owner, event.id, { capacity: 5, name: 'Other' });
    await face.deleteEvent(team.manager, event.id);
    expect(await trailOf(server, team.owner, { subject_id: event.id })).toMatchObject([
      { action: 'event.created', actor_id: team.manager.userId },
      { action: 'event.changed', actor_id: team.owner.userId, detail: { fields: ['name', 'capacity'] } },
      { action: 'event.deleted', actor_id: team.manager.userId },
    ]);
  });

  it('a history is for managers and the holder, and can be counted', async () => {
    const [holder, another] = [await newcomer(), await newcomer()];
    const event = await create();
    const { id } = await subscribe(holder, event);
    await face.checkIn(team.manager, event.id, id);
    await face.undoCheckIn(team.manager, event.id, id);
    const path = `/events/${event.id}/subscriptions/${id}/changes`;
    const document = `query ($id: ID!) {
      node(id: $id) { ... on EventSubscription { changes { totalCount nodes { kind } } } }
    }`;
    const variables = { id: globalId('EventSubscription', id) };
    for (const person of [team.manager, holder]) {
      const list = await send<Page>(server, person, `GET ${path}`);
      expect(list.body.items[0]).toEqual({
        ...{ id: expect.any(String), subscription_id: id, actor_id: holder.userId, created_at: expect.any(String) },
        ...{ kind: 'status', status_from: null, status_to: 'accepted' },
      });
      expect(list.body.items.map(({ kind }) => kind)).toEqual(['status', 'check_in', 'undo_check_in']);
      expect((await send(server, person, `GET ${path}/count`)).body).toBe(3);
      expect(await query(server, person, document, variables)).toEqual({
        node: {
          changes: { totalCount: 3, nodes: [{ kind: 'STATUS' }, { kind: 'CHECK_IN' }, { kind: 'UNDO_CHECK_IN' }] },
        },
      });
    }
    expectCode(await send(server, another, `GET ${path}`), 404, 'NOT_FOUND');
    expect((await graphql(server, another, document, variables)).data).toEqual({ node: null });
  });

  it('a key makes a write happen once, for every method', async () => {
    const key = () => ({ key: randomUUIDv7() });
    const [made, changed, deleted, subscribed, checked, many] = [key(), key(), key(), key(), key(), key()];
    const twice = async <Value>(write: () => Promise<Value>) => {
      const first = await write();
      expect(await write()).toEqual(first);
      return first;
    };
    const draft = { name: 'Keyed', status: 0, ...future };
    const { value: event } = await twice(() => face.createEvent(team.manager, draft, made));
    const update = await twice(() =>
      face.updateEvent(team.manager, event.id, { status: 1, capacity: 2 }, { ...changed, version: 1 }),
    );
    expect(update).toMatchObject({ code: null, value: { version: 2 } });
    const { value } = await twice(() => face.subscribe(team.member, event.id, {}, subscribed));
    expect(value.status).toBe('accepted');
    expect((await twice(() => face.checkIn(team.manager, event.id, value.id, checked))).code).toBeNull();
    const others = [{ user_id: team.owner.userId }];
    const bulk = await twice(() => face.bulk(team.manager, event.id, others, { notify: false }, many));
    expect(bulk.value).toMatchObject({ items: others, errors: [] });
    const { value: copy } = await face.duplicateEvent(team.manager, event.id, {});
    expect((await twice(() => face.deleteEvent(team.manager, copy.id, deleted))).code).toBeNull();
    // without the key
    expect((await face.deleteEvent(team.manager, copy.id)).code).toBe('NOT_FOUND');
    expect((await face.checkIn(team.manager, event.id, value.id)).code).toBe('ALREADY_CHECKED_IN');
  });

  it('a subscription never touches the version of its event', async () => {
    const event = await create({ capacity: 1 });
    const { id } = await subscribe(team.member, event);
    await face.move(team.manager, event.id, id, { status: 'declined' });
    const sql = 'select version, updated_at = created_at as same from event where id = ?';
    expect(await server.execute(sql, [event.id])).toEqual([{ version: 1, same: true }]);
  });
});

it('ETag is on every answer with one event, with any fields, and If-None-Match is ignored', async () => {
  const made = await send<WrittenEvent>(server, team.manager, 'POST /events', { name: 'Tagged', ...future });
  const { body } = made;
  expect([made.status, made.headers.get('etag')]).toEqual([201, '"1"']);
  expect(made.headers.get('location')).toBe(`/events/${body.id}`);
  expect((await send(server, team.manager, `GET /events/${body.id}`)).body).toEqual(body);
  const tag = { 'if-none-match': '"1"' };
  const read = await send(server, team.manager, `GET /events/${body.id}?fields=name`, undefined, tag);
  expect([read.status, read.headers.get('etag'), read.body]).toEqual([200, '"1"', { name: 'Tagged' }]);
  const same = await send(server, team.manager, `PATCH /events/${body.id}`, {});
  expect([same.status, same.headers.get('etag')]).toEqual([200, '"1"']);
  const copy = await send(server, team.manager, `POST /events/${body.id}/duplicate`);
  expect([copy.status, copy.headers.get('etag')]).toEqual([201, '"1"']);
  expect(copy.headers.get('location')).toBe(`/events/${copy.body.id}`);
  const remove = (guard: string) =>
    send(server, team.manager, `DELETE /events/${body.id}`, undefined, { 'if-match': guard });
  expectCode(await remove('"7", W/"1"'), 412, 'PRECONDITION_FAILED');
  expect((await remove('"7", "1"')).status).toBe(200);
});
