import { expect, test } from 'vitest';
import { graphql, query } from '../support/graphql.ts';
import { linkToken, mailTo, openPlace, signUp } from '../support/newcomers.ts';
import { send } from '../support/send.ts';
import { shared } from '../support/shared.ts';
import { facesOf } from '../support/write-faces.ts';

const place = await shared(openPlace());
const { server, smtp } = place;

test.each(facesOf(server))(
  '$name leads from the sign-up of an organization to the check-in of a guest',
  async (face) => {
    const ada = await signUp(place, 'Ada', { found: 'The Shed' });
    const [bo, cy] = [
      await signUp(place, 'Bo', { join: ada.organizationId }),
      await signUp(place, 'Cy', { join: ada.organizationId }),
    ];

    // a friend with an organization of her own looks after the door
    const dora = await signUp(place, 'Dora', { found: 'Doors' });
    const invite = `mutation { inviteMember(input: {email: "${dora.email}", role: MANAGER}) { invitation { id } } }`;
    if (face.name === 'graphql') await query(server, ada, invite);
    else await send(server, ada, 'POST /invitations', { email: dora.email, role: 'manager' });
    const token = linkToken(await mailTo(smtp, dora.email, 'You are invited'));
    const accept = `mutation { acceptInvitation(input: {token: "${token}"}) { organization { id } } }`;
    if (face.name === 'graphql') expect((await graphql(server, dora, accept)).errors).toBeUndefined();
    else expect((await send(server, dora, 'POST /invitations/accept', { token })).status).toBe(200);
    const door = { ...dora, organizationId: ada.organizationId };

    // a draft with one place, seen by nobody else until it is published
    const draft = await face.createEvent(ada, {
      ...{ name: 'Bread Baking', timezone: 'Europe/Berlin', location: 'The kitchen', capacity: 1 },
      ...{ date_start: '2031-05-03T10:00:00+02:00', date_end: '2031-05-03T14:00:00+02:00' },
    });
    expect(draft).toMatchObject({ code: null, value: { slug: 'bread-baking', status: 0, version: 1 } });
    const { id } = draft.value;
    expect((await send(server, ada, `GET /events/${id}`)).body.date_start).toBe('2031-05-03T08:00:00.000Z');
    expect((await send(server, bo, `GET /events/${id}`)).status).toBe(404);
    expect(await query(server, bo, `{ event(id: "${id}") { id } }`)).toEqual({ event: null });
    expect((await face.subscribe(bo, id)).code).toBe('NOT_FOUND');
    const published = await face.updateEvent(ada, id, { status: 1 }, { version: 1 });
    expect(published).toMatchObject({ code: null, value: { status: 1, version: 2 } });

    // the place goes to the first, the second waits
    const first = await face.subscribe(bo, id);
    const second = await face.subscribe(cy, id);
    expect([first.value.status, second.value.status]).toEqual(['accepted', 'waitlisted']);
    expect((await face.subscribe(cy, id)).code).toBe('ALREADY_SUBSCRIBED');
    expect((await mailTo(smtp, bo.email, 'You have a place')).mail.text).toContain('(Europe/Berlin)');
    await mailTo(smtp, cy.email, 'waiting list');

    // who waits moves up as soon as the place is free
    const path = `/events/${id}/subscriptions/${second.value.id}`;
    const shown = async () => (await send(server, cy, `GET ${path}`)).body;
    expect(await shown()).toMatchObject({ status: 'waitlisted', waiting_since: expect.any(String) });
    expect((await face.move(bo, id, first.value.id, { status: 'cancelled' })).value.status).toBe('cancelled');
    expect(await shown()).toMatchObject({ status: 'accepted', waiting_since: null });
    const promoted = await mailTo(smtp, cy.email, 'You have a place');
    expect(promoted.mail.text).toContain('you are no longer on the waiting list');
    expect((await send(server, ada, `GET /events/${id}`)).body.accepted_count).toBe(1);

    // the guest comes
    expect((await face.checkIn(cy, id, second.value.id)).code).toBe('FORBIDDEN');
    expect((await face.checkIn(door, id, second.value.id)).value).toMatchObject({
      ...{ status: 'accepted', checked_in_at: expect.any(String) },
    });
    expect((await face.checkIn(door, id, second.value.id)).code).toBe('ALREADY_CHECKED_IN');

    const changes = await send<{ items: object[] }>(server, cy, `GET ${path}/changes`);
    expect(changes.body.items).toMatchObject([
      { kind: 'status', status_from: null, status_to: 'waitlisted', actor_id: cy.userId },
      { kind: 'status', status_from: 'waitlisted', status_to: 'accepted', actor_id: null },
      { kind: 'check_in', status_from: 'accepted', status_to: 'accepted', actor_id: door.userId },
    ]);
    const trail = await send<{ items: { action: string }[] }>(server, ada, 'GET /audit?sort=-1');
    expect(trail.body.items.filter(({ action }) => action.startsWith('event.'))).toMatchObject([
      { action: 'event.changed', actor_id: ada.userId, detail: { event: id, fields: ['status'] } },
      { action: 'event.created', actor_id: ada.userId, detail: { event: id } },
    ]);
  },
);
