import { describe, expect, it } from 'vitest';
import { type Caller, graphql, query } from '../support/graphql.ts';
import { send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { createTeam, join } from '../support/team.ts';

const server = await shared(startTestServer({ env: { RATE_LIMIT: 'off' } }));
const team = await createTeam(server);
const another = await join(server, team.organizationId, 'member');

type Node = Record<string, never> & { id: string; databaseId: string; version: number };

async function mutate(caller: Caller, field: string, input: object, selection: string) {
  const document = `mutation ($input: ${field.charAt(0).toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${selection} } }`;
  const { data, errors } = await graphql(server, caller, document, { input });
  return { payload: data?.[field] as Record<string, never> | null | undefined, error: errors?.[0]?.extensions };
}

const day = 86_400_000;
const iso = (days: number) => new Date(Date.now() + days * day).toISOString();

async function create(input: object = {}): Promise<Node> {
  const fields = { name: 'Open Day', status: 'ACTIVE', dateStart: iso(10), dateEnd: iso(11), ...input };
  const { payload, error } = await mutate(team.manager, 'createEvent', fields, 'event { id databaseId version }');
  expect(error).toBeUndefined();
  return payload?.event as unknown as Node;
}

describe('createEvent', () => {
  it('answers the event that REST shows, and its edge in the list by start', async () => {
    const input = { name: 'Edge', dateStart: iso(20), dateEnd: iso(21), capacity: 3, clientMutationId: 'mine' };
    const selection =
      'clientMutationId event { id databaseId name status waitingList version } eventEdge { cursor node { id } }';
    const { payload } = await mutate(team.manager, 'createEvent', input, selection);
    const made = payload as unknown as { event: Node; eventEdge: { cursor: string; node: Node } };
    expect(made).toMatchObject({
      clientMutationId: 'mine',
      event: { name: 'Edge', status: 'DRAFT', waitingList: true, version: 1 },
      eventEdge: { node: { id: made.event.id } },
    });
    const rest = await send(server, team.manager, `GET /events/${made.event.databaseId}`);
    expect(rest.body).toMatchObject({ name: 'Edge', capacity: 3 });
    const { events } = await query<{ events: { nodes: Node[] } }>(
      server,
      team.manager,
      `{ events(last: 1, before: "${(await endOfList()).cursor}") { nodes { id } } }`,
    );
    expect(events.nodes.map(({ id }) => id)).toContain(made.event.id);
    const after = await send<{ items: { id: string }[] }>(
      server,
      team.manager,
      `GET /events?token=${made.eventEdge.cursor}&sort=-1&limit=1`,
    );
    expect(after.status).toBe(200);
    expect(after.body.items.map(({ id }) => id)).not.toContain(made.event.databaseId);
  });

  async function endOfList() {
    const { payload } = await mutate(
      team.manager,
      'createEvent',
      { name: 'Last', dateStart: iso(4000), dateEnd: iso(4001) },
      'eventEdge { cursor }',
    );
    return payload?.eventEdge as unknown as { cursor: string };
  }

  it('names the fields at fault in its own words', async () => {
    const input = { name: ' ', dateStart: iso(2), dateEnd: iso(1), timezone: 'Nowhere', capacity: -1 };
    const { payload, error } = await mutate(team.manager, 'createEvent', input, 'event { id }');
    expect(payload).toBeNull();
    expect(error?.code).toBe('VALIDATION_ERROR');
    expect(error?.errors?.map(({ pointer }) => pointer).sort()).toEqual([
      '/capacity',
      '/dateEnd',
      '/name',
      '/timezone',
    ]);
    const dates = await mutate(
      team.manager,
      'createEvent',
      { name: 'x', dateStart: iso(2), dateEnd: iso(1) },
      'event { id }',
    );
    expect(dates.error?.errors?.map(({ pointer }) => pointer)).toEqual(['/dateEnd']);
    expect((await mutate(team.member, 'createEvent', input, 'event { id }')).error?.code).toBe('FORBIDDEN');
  });
});

describe('updateEvent', () => {
  it('clears by null what may be null, leaves the rest, and guards the version', async () => {
    const event = await create({ location: 'Hall', capacity: 4 });
    const selection = 'event { name location capacity version }';
    const cleared = await mutate(team.manager, 'updateEvent', { id: event.id, name: null, location: null }, selection);
    expect(cleared.payload?.event).toEqual({ name: 'Open Day', location: null, capacity: 4, version: 2 });
    const guarded = { id: event.databaseId, name: 'New', ifVersion: 1 };
    expect((await mutate(team.manager, 'updateEvent', guarded, selection)).error?.code).toBe('PRECONDITION_FAILED');
    const right = await mutate(team.manager, 'updateEvent', { ...guarded, ifVersion: 2 }, selection);
    expect(right.payload?.event).toMatchObject({ name: 'New', version: 3 });
  });

  it('refuses a transition with the pointer of its field', async () => {
    const event = await create({ status: 'DRAFT' });
    const { error } = await mutate(team.manager, 'updateEvent', { id: event.id, status: 'CANCELLED' }, 'event { id }');
    expect(error).toMatchObject({ code: 'INVALID_TRANSITION', errors: [{ pointer: '/status' }] });
  });
});

describe('deleteEvent and duplicateEvent', () => {
  it('answer the global id of what was, and the edge of what was made', async () => {
    const event = await create({ status: 'DRAFT', location: 'Hall' });
    const copied = await mutate(
      team.manager,
      'duplicateEvent',
      { id: event.id },
      'event { status location } eventEdge { cursor }',
    );
    expect(copied.payload?.event).toEqual({ status: 'DRAFT', location: 'Hall' });
    const deleted = await mutate(team.manager, 'deleteEvent', { id: event.databaseId }, 'deletedEventId');
    expect(deleted.payload).toEqual({ deletedEventId: event.id });
    expect((await mutate(team.manager, 'deleteEvent', { id: event.id }, 'deletedEventId')).error?.code).toBe(
      'NOT_FOUND',
    );
  });
});

describe('subscriptions', () => {
  const whole = 'eventSubscription { id databaseId status userId } event { id acceptedCount }';

  it('are made, moved, checked in, and tell their history', async () => {
    const event = await create({ capacity: 1 });
    const made = await mutate(
      team.member,
      'subscribeToEvent',
      { eventId: event.id },
      `${whole} eventSubscriptionEdge { cursor node { id } }`,
    );
    expect(made.error).toBeUndefined();
    const { eventSubscription, event: now } = made.payload as unknown as { eventSubscription: Node; event: Node };
    expect(eventSubscription).toMatchObject({ status: 'ACCEPTED', userId: team.member.userId });
    expect(now).toMatchObject({ id: event.id, acceptedCount: 1 });
    const id = eventSubscription.id;
    expect((await mutate(another, 'updateEventSubscription', { id, status: 'CANCELLED' }, whole)).error?.code).toBe(
      'NOT_FOUND',
    );
    expect((await mutate(team.member, 'checkInEventSubscription', { id }, whole)).error?.code).toBe('FORBIDDEN');
    expect((await mutate(team.manager, 'checkInEventSubscription', { id }, whole)).error).toBeUndefined();
    expect((await mutate(team.manager, 'checkInEventSubscription', { id }, whole)).error?.code).toBe(
      'ALREADY_CHECKED_IN',
    );
    expect((await mutate(team.manager, 'undoCheckIn', { id }, whole)).error).toBeUndefined();
    const left = await mutate(team.member, 'updateEventSubscription', { id, status: 'CANCELLED' }, whole);
    expect(left.payload).toMatchObject({ eventSubscription: { status: 'CANCELLED' }, event: { acceptedCount: 0 } });
    const { node } = await query<{ node: { changes: { totalCount: number; nodes: object[] } } }>(
      server,
      team.member,
      `query ($id: ID!) { node(id: $id) { ... on EventSubscription { changes { totalCount nodes { kind statusFrom statusTo actorId } } } } }`,
      { id },
    );
    expect(node.changes).toEqual({
      totalCount: 4,
      nodes: [
        { kind: 'STATUS', statusFrom: null, statusTo: 'ACCEPTED', actorId: team.member.userId },
        { kind: 'CHECK_IN', statusFrom: 'ACCEPTED', statusTo: 'ACCEPTED', actorId: team.manager.userId },
        { kind: 'UNDO_CHECK_IN', statusFrom: 'ACCEPTED', statusTo: 'ACCEPTED', actorId: team.manager.userId },
        { kind: 'STATUS', statusFrom: 'ACCEPTED', statusTo: 'CANCELLED', actorId: team.member.userId },
      ],
    });
  });

  it('of others are made by either id, and moved many at once', async () => {
    const event = await create({ registration: 'CLOSED' });
    const user = Buffer.from(`User:${team.member.userId}`).toString('base64');
    const first = await mutate(
      team.manager,
      'subscribeToEvent',
      { eventId: event.databaseId, userId: user, status: 'PENDING' },
      whole,
    );
    expect(first.error).toBeUndefined();
    const second = await mutate(team.manager, 'subscribeToEvent', { eventId: event.id, userId: another.userId }, whole);
    const ids = [first, second].map(
      ({ payload }) => (payload as unknown as { eventSubscription: Node }).eventSubscription.id,
    );
    const { payload } = await mutate(
      team.manager,
      'updateEventSubscriptions',
      { ids: [...ids, 'nonsense'], status: 'DECLINED' },
      'eventSubscriptions { id status } errors { pointer code detail }',
    );
    expect(payload).toMatchObject({
      eventSubscriptions: ids.map((id) => ({ id, status: 'DECLINED' })),
      errors: [{ pointer: '/ids/2', code: 'NOT_FOUND' }],
    });
    const nobody = await mutate(team.manager, 'subscribeToEvent', { eventId: event.id, userId: 'nonsense' }, whole);
    expect(nobody.error).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ pointer: '/userId' }] });
  });
});
