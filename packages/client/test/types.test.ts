import { expect, it } from 'vitest';
import { ApiError, type Change, type ChangeWithObject, type Client } from '../src/index.ts';
import type { WebhookMessage } from '../src/webhooks.ts';

// Checked by tsc: what follows has to compile, except for each line that says that it must not. Nothing of it runs.

/** Compiles if both types are the same. */
function same<A, B>(..._: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? [] : [never]) {}

type Status = 0 | 1 | 2 | 3;

async function lists(client: Client, event: string) {
  for await (const item of client.list('/events', { fields: ['id', 'status', 'availability'] })) {
    same<keyof typeof item, 'id' | 'status' | 'availability'>();
    same<(typeof item)['status'], Status>();
    // @ts-expect-error it was not asked for
    item.name;
  }
  for await (const item of client.list('/subscriptions', { fields: ['id', 'status'], include: ['user'] })) {
    same<keyof typeof item, 'id' | 'status' | 'user'>();
    same<(typeof item)['user']['id'], string>();
    // @ts-expect-error this relation was not included
    item.event;
  }
  for await (const item of client.list('/events')) {
    same<(typeof item)['name'], string>();
    // @ts-expect-error computed fields come only if they are named
    item.availability;
  }
  for await (const item of client.list('/events/{event}/subscriptions', { path: { event }, include: ['event'] })) {
    same<(typeof item)['event']['name'], string>();
    same<(typeof item)['user_id'], string>();
  }
  for await (const { items, next } of client.list('/members', { include: ['user'], limit: 10, sort: -1 }).pages()) {
    same<typeof next, string | null>();
    items[0]?.user.name;
  }
  // @ts-expect-error lists of events have no such field
  client.list('/events', { fields: ['nmae'] });
  // @ts-expect-error a relation is no field
  client.list('/subscriptions', { fields: ['user'] });
  // @ts-expect-error there is no such relation
  client.list('/subscriptions', { include: ['usr'] });
  // @ts-expect-error events have no relations
  client.list('/events', { include: ['user'] });
  // @ts-expect-error there is no such option
  client.list('/events', { limt: 5 });
  // @ts-expect-error it is 1 or -1
  client.list('/events', { sort: 'desc' });
  // @ts-expect-error there is no such list
  client.list('/evnts');
  // @ts-expect-error the event is missing
  client.list('/events/{event}/subscriptions');
  // @ts-expect-error that is no parameter of the path
  client.list('/events/{event}/subscriptions', { path: { evnt: event } });
  // @ts-expect-error an object is no list
  client.list('/events/{event}', { path: { event } });
}

async function filters(client: Client, event: string) {
  client.list('/events', {
    where: {
      status: { $in: [1, 2] },
      name: 'club',
      date_start: { $gte: '2031-01-01T00:00:00Z', $lt: '2032-01-01T00:00:00Z' },
      $or: [{ capacity: null }, { capacity: { $gt: 10 } }, { $not: { viewer_subscription: 'accepted' } }],
    },
  });
  client.list('/members', { where: { name: 'ann', role: 'owner' } });
  client.list('/subscriptions', { where: { event_id: event, checked_in_at: { $ne: null } } });
  const counted = await client.count('/events', { where: { status: 1 }, max: 99 });
  same<typeof counted, { value: number; exact: boolean }>();
  await client.count('/events/{event}/subscriptions', { path: { event }, where: { status: 'waitlisted' } });
  // @ts-expect-error there is no such field
  client.list('/events', { where: { satus: 1 } });
  // @ts-expect-error events cannot be filtered by it
  client.list('/events', { where: { description: 'x' } });
  // @ts-expect-error there is no such status
  client.list('/events', { where: { status: 4 } });
  // @ts-expect-error names are compared by what they contain
  client.list('/events', { where: { name: { $eq: 'club' } } });
  // @ts-expect-error there is no such operator
  client.list('/events', { where: { capacity: { $greater: 1 } } });
  // @ts-expect-error times have no such operator
  client.list('/events', { where: { date_start: { $in: ['2031-01-01T00:00:00Z'] } } });
  // @ts-expect-error wrong below a logic operator, too
  client.list('/events', { where: { $and: [{ nmae: 'club' }] } });
  // @ts-expect-error a list that is below an event is already of that event
  client.list('/events/{event}/subscriptions', { path: { event }, where: { event_id: event } });
  // @ts-expect-error counts have no such option
  client.count('/events', { limit: 5 });
}

async function calls(client: Client, event: string) {
  const one = await client.get('/events/{event}', { params: { path: { event }, query: { fields: ['name'] } } });
  same<typeof one, { name: string }>();
  const page = await client.get('/events', { params: { query: { fields: ['id'], where: { status: 1 } } } });
  same<keyof (typeof page.items)[number], 'id'>();
  const made = await client.post('/events', {
    body: { name: 'Soap', date_start: '2031-05-04T10:00:00Z', date_end: '2031-05-04T12:00:00Z' },
  });
  same<(typeof made)['id'], string>();
  const { data, response } = await client
    .patch('/events/{event}', { params: { path: { event } }, body: { status: 1 }, headers: { 'if-match': '"2"' } })
    .withResponse();
  same<(typeof data)['version'], number>();
  response.headers.get('etag');
  await client.post('/events/query', { body: { where: { status: 1 } } });
  // @ts-expect-error there is no such path
  await client.get('/evnts');
  // @ts-expect-error there is no such operation
  await client.put('/events');
  // @ts-expect-error there is no such option
  await client.get('/events', { parms: {} });
  // @ts-expect-error there is no such parameter
  await client.get('/events', { params: { query: { limit: 5, wher: {} } } });
  // @ts-expect-error the id is missing
  await client.get('/events/{event}');
  // @ts-expect-error the body has no such field
  await client.patch('/events/{event}', { params: { path: { event } }, body: { satus: 1 } });
  // @ts-expect-error the body is missing
  await client.post('/events');
  // @ts-expect-error the filter in a body is checked, too
  await client.post('/events/query', { body: { where: { satus: 1 } } });
}

async function changes(client: Client) {
  for await (const { change } of client.changes({ since: 'now', kinds: ['event'] })) same<typeof change, Change>();
  for await (const { change, cursor } of client.changes({ include: ['object'] })) {
    same<typeof change, ChangeWithObject>();
    same<typeof cursor, string>();
    if (change.kind === 'subscription') change.object?.attendee_name;
    // @ts-expect-error a form's object is its event
    if (change.kind === 'form') change.object?.attendee_name;
  }
  // @ts-expect-error there is no such kind
  client.changes({ kinds: ['events'] });
  // @ts-expect-error changes have only their object
  client.changes({ include: ['user'] });
}

function errors(error: unknown, message: WebhookMessage) {
  if (!(error instanceof ApiError)) return;
  same<typeof error.operation, string | undefined>();
  same<typeof error.pointers, string[]>();
  if (error.code === 'EVENT_FULL' || error.code === 'CANCELLED') error.retryAfter?.toFixed();
  // @ts-expect-error there is no such code
  if (error.code === 'EVENT_FUL') error.path;
  if (message.type === 'subscription.created') same<typeof message.data.kind, 'subscription'>();
  if (message.type === 'event.deleted') message.data.event_id;
  // @ts-expect-error a ping is about no object
  if (message.type === 'ping') message.data.object_id;
  // @ts-expect-error there is no such type
  if (message.type === 'event.create') message.data;
}

it('has types that tsc checks', () => {
  for (const each of [lists, filters, calls, changes, errors]) expect(each).toBeTypeOf('function');
});
