import { expect, test } from 'vitest';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import type { SubscriptionRow } from '../../src/domain/subscription/subscription.resource.ts';
import type { SubscriptionChangeRow } from '../../src/domain/subscription/subscription-change.resource.ts';
import { linkToken, mailTo, type Newcomer, openPlace, signUp } from '../support/newcomers.ts';
import { type Answer, expectCode, send } from '../support/send.ts';
import { shared } from '../support/shared.ts';

const place = await shared(openPlace());

const ask = <Body>(by: Newcomer, request: string, body?: unknown): Promise<Answer<Body>> =>
  send<Body>(place.server, by, request, body);

/** What a POST made: its path and what it is. */
async function make<Body>(by: Newcomer, request: string, body?: unknown): Promise<{ path: string; made: Body }> {
  const answer = await ask<Body>(by, request, body);
  expect(answer.status, answer.text).toBe(201);
  const path = answer.headers.get('location') ?? '';
  expect((await ask(by, `GET ${path}`)).body).toEqual(answer.body);
  return { path, made: answer.body };
}

test('REST leads from the sign-up of an organization to the check-in of a guest', async () => {
  const ada = await signUp(place, 'Ada', { found: 'The Shed' });
  const [bo, cy] = [
    await signUp(place, 'Bo', { join: ada.organizationId }),
    await signUp(place, 'Cy', { join: ada.organizationId }),
  ];

  // a friend with an organization of her own looks after the door
  const dora = await signUp(place, 'Dora', { found: 'Doors' });
  const invited = await ask(ada, 'POST /invitations', { email: dora.email, role: 'manager' });
  expect(invited.status).toBe(201);
  const token = linkToken(await mailTo(place.smtp, dora.email, 'You are invited'));
  expect((await ask(dora, 'POST /invitations/accept', { token })).status).toBe(200);
  const door = { ...dora, organizationId: ada.organizationId };

  // a draft with one place, seen by nobody else until it is published
  const { path, made: draft } = await make<EventRow>(ada, 'POST /events', {
    name: 'Bread Baking',
    date_start: '2031-05-03T10:00:00+02:00',
    date_end: '2031-05-03T14:00:00+02:00',
    timezone: 'Europe/Berlin',
    location: 'The kitchen',
    capacity: 1,
  });
  expect(draft).toMatchObject({ slug: 'bread-baking', status: 0, version: 1, date_start: '2031-05-03T08:00:00.000Z' });
  expectCode(await ask(bo, `GET ${path}`), 404, 'NOT_FOUND');
  expectCode(await ask(bo, `POST ${path}/subscriptions`), 404, 'NOT_FOUND');

  const published = await ask<EventRow>(ada, `PATCH ${path}`, { status: 1 });
  expect([published.status, published.body.status, published.headers.get('etag')]).toEqual([200, 1, '"2"']);

  // the place goes to the first, the second waits
  const first = await make<SubscriptionRow>(bo, `POST ${path}/subscriptions`);
  expect(first.made.status).toBe('accepted');
  const second = await make<SubscriptionRow>(cy, `POST ${path}/subscriptions`);
  expect(second.made).toMatchObject({ status: 'waitlisted', waiting_since: expect.any(String) });
  expectCode(await ask(cy, `POST ${path}/subscriptions`), 409, 'ALREADY_SUBSCRIBED');
  expect((await mailTo(place.smtp, bo.email, 'You have a place')).mail.text).toContain('(Europe/Berlin)');
  await mailTo(place.smtp, cy.email, 'waiting list');

  // who waits moves up as soon as the place is free
  expect((await ask(bo, `PATCH ${first.path}`, { status: 'cancelled' })).status).toBe(200);
  expect((await ask<SubscriptionRow>(cy, `GET ${second.path}`)).body).toMatchObject({
    status: 'accepted',
    waiting_since: null,
  });
  expect((await mailTo(place.smtp, cy.email, 'You have a place')).mail.text).toContain(
    'you are no longer on the waiting list',
  );
  expect((await ask<EventRow>(ada, `GET ${path}`)).body.accepted_count).toBe(1);

  // the guest comes
  expectCode(await ask(cy, `POST ${second.path}/check-in`), 403, 'FORBIDDEN');
  const checkedIn = await ask<SubscriptionRow>(door, `POST ${second.path}/check-in`);
  expect(checkedIn.body).toMatchObject({ status: 'accepted', checked_in_at: expect.any(String) });
  expectCode(await ask(door, `POST ${second.path}/check-in`), 409, 'ALREADY_CHECKED_IN');

  const changes = await ask<{ items: SubscriptionChangeRow[] }>(cy, `GET ${second.path}/changes`);
  expect(changes.body.items).toMatchObject([
    { kind: 'status', status_from: null, status_to: 'waitlisted', actor_id: cy.userId },
    { kind: 'status', status_from: 'waitlisted', status_to: 'accepted', actor_id: null },
    { kind: 'check_in', status_from: 'accepted', status_to: 'accepted', actor_id: door.userId },
  ]);
  const trail = await ask<{ items: Record<string, unknown>[] }>(ada, 'GET /audit?sort=-1');
  const done = trail.body.items.filter(({ action }) => String(action).startsWith('event.'));
  expect(done).toMatchObject([
    { action: 'event.changed', actor_id: ada.userId, detail: { event: draft.id, fields: ['status'] } },
    { action: 'event.created', actor_id: ada.userId, detail: { event: draft.id } },
  ]);
});
