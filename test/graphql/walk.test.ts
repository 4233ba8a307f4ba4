import { expect, test } from 'vitest';
import { type Caller, graphql, query } from '../support/graphql.ts';
import { linkToken, mailTo, openPlace, signUp } from '../support/newcomers.ts';
import { shared } from '../support/shared.ts';

const place = await shared(openPlace());

type Fields = Record<string, unknown>;
const eventFields = 'id slug status version dateStart acceptedCount';
const subscriptionFields = 'id status waitingSince checkedInAt';

const documents = {
  invite: 'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { invitation { id } } }',
  accept: 'mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { organization { id } } }',
  create: `mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { ${eventFields} } eventEdge { cursor node { id } } } }`,
  update: `mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { event { ${eventFields} } } }`,
  subscribe: `mutation ($input: SubscribeToEventInput!) {
    subscribeToEvent(input: $input) { eventSubscription { ${subscriptionFields} } eventSubscriptionEdge { cursor } event { acceptedCount } }
  }`,
  change: `mutation ($input: UpdateEventSubscriptionInput!) {
    updateEventSubscription(input: $input) { eventSubscription { ${subscriptionFields} } event { acceptedCount } }
  }`,
  checkIn: `mutation ($input: CheckInEventSubscriptionInput!) {
    checkInEventSubscription(input: $input) { eventSubscription { ${subscriptionFields} } }
  }`,
} as const;

/** The payload of a mutation that must not fail. */
async function run<Payload>(by: Caller, name: keyof typeof documents, input: Fields): Promise<Payload> {
  const data = await query<Record<string, Payload>>(place.server, by, documents[name], { input });
  return Object.values(data)[0] as Payload;
}

async function refusal(by: Caller, name: keyof typeof documents, input: Fields): Promise<string | undefined> {
  const answer = await graphql(place.server, by, documents[name], { input });
  expect(Object.values(answer.data ?? {})).toEqual([null]);
  return answer.errors?.[0]?.extensions.code;
}

type EventPayload = { event: Fields & { id: string }; eventEdge: Fields };
type SubscriptionPayload = { eventSubscription: Fields & { id: string }; event: Fields };

test('GraphQL leads from the sign-up of an organization to the check-in of a guest', async () => {
  const ada = await signUp(place, 'Ada', { found: 'The Shed' });
  const [bo, cy] = [
    await signUp(place, 'Bo', { join: ada.organizationId }),
    await signUp(place, 'Cy', { join: ada.organizationId }),
  ];

  // a friend with an organization of her own looks after the door
  const dora = await signUp(place, 'Dora', { found: 'Doors' });
  await run(ada, 'invite', { email: dora.email, role: 'MANAGER' });
  const token = linkToken(await mailTo(place.smtp, dora.email, 'You are invited'));
  await run(dora, 'accept', { token });
  const door = { ...dora, organizationId: ada.organizationId };

  // a draft with one place, seen by nobody else until it is published
  const created = await run<EventPayload>(ada, 'create', {
    name: 'Bread Baking',
    dateStart: '2031-05-03T10:00:00+02:00',
    dateEnd: '2031-05-03T14:00:00+02:00',
    timezone: 'Europe/Berlin',
    location: 'The kitchen',
    capacity: 1,
  });
  expect(created.event).toMatchObject({ slug: 'bread-baking', status: 'DRAFT', version: 1 });
  expect(created.event.dateStart).toBe('2031-05-03T08:00:00.000Z');
  const { id } = created.event;
  expect(created.eventEdge).toEqual({ cursor: expect.any(String), node: { id } });
  const find = 'query ($id: ID!) { event(id: $id) { id acceptedCount } }';
  expect(await query(place.server, bo, find, { id })).toEqual({ event: null });
  expect(await refusal(bo, 'subscribe', { eventId: id })).toBe('NOT_FOUND');

  const published = await run<EventPayload>(ada, 'update', { id, status: 'ACTIVE', ifVersion: 1 });
  expect(published.event).toMatchObject({ status: 'ACTIVE', version: 2 });

  // the place goes to the first, the second waits
  const first = await run<SubscriptionPayload>(bo, 'subscribe', { eventId: id });
  expect(first).toMatchObject({ eventSubscription: { status: 'ACCEPTED' }, event: { acceptedCount: 1 } });
  const second = await run<SubscriptionPayload>(cy, 'subscribe', { eventId: id });
  expect(second.eventSubscription).toMatchObject({ status: 'WAITLISTED', waitingSince: expect.any(String) });
  expect(await refusal(cy, 'subscribe', { eventId: id })).toBe('ALREADY_SUBSCRIBED');
  expect((await mailTo(place.smtp, bo.email, 'You have a place')).mail.text).toContain('(Europe/Berlin)');
  await mailTo(place.smtp, cy.email, 'waiting list');

  // who waits moves up as soon as the place is free
  const cancelled = await run<SubscriptionPayload>(bo, 'change', {
    id: first.eventSubscription.id,
    status: 'CANCELLED',
  });
  expect(cancelled).toMatchObject({ eventSubscription: { status: 'CANCELLED' }, event: { acceptedCount: 1 } });
  const node = `query ($id: ID!) { node(id: $id) { ... on EventSubscription {
    ${subscriptionFields} changes { nodes { kind statusFrom statusTo actorDatabaseId } }
  } } }`;
  const guest = second.eventSubscription.id;
  expect(await query(place.server, cy, node, { id: guest })).toMatchObject({
    node: { status: 'ACCEPTED', waitingSince: null },
  });
  expect((await mailTo(place.smtp, cy.email, 'You have a place')).mail.text).toContain(
    'you are no longer on the waiting list',
  );

  // the guest comes
  expect(await refusal(cy, 'checkIn', { id: guest })).toBe('FORBIDDEN');
  const checkedIn = await run<SubscriptionPayload>(door, 'checkIn', { id: guest });
  expect(checkedIn.eventSubscription).toMatchObject({ status: 'ACCEPTED', checkedInAt: expect.any(String) });
  expect(await refusal(door, 'checkIn', { id: guest })).toBe('ALREADY_CHECKED_IN');

  expect(await query(place.server, cy, node, { id: guest })).toMatchObject({
    node: {
      changes: {
        nodes: [
          { kind: 'STATUS', statusFrom: null, statusTo: 'WAITLISTED', actorDatabaseId: cy.userId },
          { kind: 'STATUS', statusFrom: 'WAITLISTED', statusTo: 'ACCEPTED', actorDatabaseId: null },
          { kind: 'CHECK_IN', statusFrom: 'ACCEPTED', statusTo: 'ACCEPTED', actorDatabaseId: door.userId },
        ],
      },
    },
  });
  const trail = await query<{ organization: { auditEntries: { nodes: Fields[] } } }>(
    place.server,
    ada,
    '{ organization { auditEntries(last: 50) { nodes { action actorDatabaseId detail } } } }',
  );
  const done = trail.organization.auditEntries.nodes.filter(({ action }) => String(action).startsWith('EVENT_'));
  expect(done).toMatchObject([
    { action: 'EVENT_CREATED', actorDatabaseId: ada.userId },
    { action: 'EVENT_CHANGED', actorDatabaseId: ada.userId, detail: { fields: ['status'] } },
  ]);
});
