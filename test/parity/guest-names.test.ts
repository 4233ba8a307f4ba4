import { describe, expect, it } from 'vitest';
import { callerHeaders, globalId, graphql } from '../support/graphql.ts';
import { guestAddress, guestOf, guestWorld } from '../support/guests.ts';
import { mailsTo } from '../support/mail.ts';
import { send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { post } from '../support/sign-in.ts';
import { createTeam, type Team } from '../support/team.ts';

const server = await shared(startTestServer());
const [here, there] = [await createTeam(server), await createTeam(server)];

const world = (team: Team) => ({
  ...guestWorld(server, team),
  guest: guestOf(server, team.organizationId),
  manager: team.manager,
});
const [one, two] = [world(here), world(there)];
type World = typeof one;

interface WithUser {
  id: string;
  user: { id: string; name: string };
}

/** The name of a subscription's user, in every way in which an organization reads it. */
async function namesOf({ manager }: World, eventId: string, subscriptionId: string): Promise<string[]> {
  const path = `/events/${eventId}/subscriptions`;
  const list = await send<{ items: WithUser[] }>(server, manager, `GET ${path}?include=user`);
  const single = await send<WithUser>(server, manager, `GET ${path}/${subscriptionId}?include=user&fields=id`);
  expect(Object.keys(single.body).sort()).toEqual(['id', 'user']);
  const file = async (format: string) => {
    const query = `format=${format}&fields=id&include=user`;
    return await (await fetch(`${server.url}${path}/export?${query}`, { headers: callerHeaders(manager) })).text();
  };
  const [csv, lines] = [await file('csv'), await file('ndjson')];
  const exported = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as WithUser)
    .find(({ id }) => id === subscriptionId);
  const { data, errors } = await graphql(
    server,
    manager,
    `query ($event: ID!) {
      event(id: $event) { subscriptions { nodes { databaseId user { name } } } }
      events(where: { id: { eq: $event } }) { nodes { subscriptions(first: 5) { edges { node { databaseId user { id name } } } } } }
    }`,
    { event: eventId },
  );
  expect(errors).toBeUndefined();
  const answer = data as unknown as {
    event: { subscriptions: { nodes: { databaseId: string; user: { name: string } }[] } };
    events: {
      nodes: { subscriptions: { edges: { node: { databaseId: string; user: { id: string; name: string } } }[] } }[];
    };
  };
  const found = answer.event.subscriptions.nodes.find(({ databaseId }) => databaseId === subscriptionId);
  const nested = answer.events.nodes[0]?.subscriptions.edges.find(({ node }) => node.databaseId === subscriptionId);
  return [
    list.body.items.find(({ id }) => id === subscriptionId)?.user.name,
    single.body.user.name,
    new RegExp(`^${subscriptionId},[^,]*,([^,]*),`, 'm').exec(csv)?.[1],
    exported?.user.name,
    found?.user.name,
    nested?.node.user.name,
  ].map(String);
}

const nodeName = async ({ manager }: World, userId: string) => {
  const id = globalId('User', userId);
  const { data } = await graphql(server, manager, 'query ($id: ID!) { node(id: $id) { ... on User { name } } }', {
    id,
  });
  return (data as unknown as { node: { name: string } | null }).node?.name;
};

describe('the name of a guest', () => {
  it('is that of the subscription, for the organization that it was given to', async () => {
    const email = guestAddress();
    const [first, second] = [await one.event(), await two.event()];
    await one.guest.subscribe(first.id, { email, name: 'Grace H.' });
    await two.guest.request(second.id, { email, name: 'Rear Admiral' });
    expect((await two.guest.confirm(await two.guest.mailed(email, 3))).status).toBe(200);
    const [mine, theirs] = await one.subscriptionsOf(email);
    const each = (name: string) => Array<string>(6).fill(name);
    expect(await namesOf(one, first.id, mine.id)).toEqual(each('Grace H.'));
    expect(await namesOf(two, second.id, theirs?.id as string)).toEqual(each('Rear Admiral'));
    expect([await nodeName(one, mine.user_id), await nodeName(two, mine.user_id)]).toEqual([
      'Grace H.',
      'Rear Admiral',
    ]);
    const mails = await mailsTo(server, email, 4);
    expect(mails[1]?.text).toMatch(/^Hello Grace H\.,/);
    expect(mails[3]?.text).toMatch(/^Hello Rear Admiral,/);
    expect(await one.userOf(email)).toMatchObject([{ name: 'Guest' }]);
  });

  it('is that of the newest subscription if the user is read alone, and differs between subscriptions', async () => {
    const email = guestAddress();
    const [older, newer] = [await one.event(), await one.event()];
    await one.guest.subscribe(older.id, { email, name: 'First' });
    await one.guest.request(newer.id, { email, name: 'Second' });
    await one.guest.confirm(await one.guest.mailed(email, 3));
    const rows = await one.subscriptionsOf(email);
    expect(await nodeName(one, rows[0].user_id)).toBe('Second');
    const { data } = await graphql(
      server,
      one.manager,
      `query ($a: ID!, $b: ID!) {
        a: event(id: $a) { subscriptions { nodes { user { name } } } }
        b: event(id: $b) { subscriptions { nodes { user { name } } } }
      }`,
      { a: older.id, b: newer.id },
    );
    expect(data).toEqual({
      a: { subscriptions: { nodes: [{ user: { name: 'First' } }] } },
      b: { subscriptions: { nodes: [{ user: { name: 'Second' } }] } },
    });
  });

  it('is that of the answer to a write, too, on both faces', async () => {
    const { id } = await one.event();
    const email = guestAddress();
    await one.guest.subscribe(id, { email, name: 'Written' });
    const [row] = await one.subscriptionsOf(email);
    const { data } = await graphql(
      server,
      one.manager,
      `mutation ($id: ID!) {
        updateEventSubscription(input: { id: $id, status: PENDING, notify: false }) { eventSubscription { user { name } } }
        updateEventSubscriptions(input: { ids: [$id], status: ACCEPTED, notify: false }) { eventSubscriptions { user { name } } }
      }`,
      { id: row.id },
    );
    expect(data).toEqual({
      updateEventSubscription: { eventSubscription: { user: { name: 'Written' } } },
      updateEventSubscriptions: { eventSubscriptions: [{ user: { name: 'Written' } }] },
    });
    // no field of its own
    const shown = await send<object>(server, one.manager, `GET /events/${id}/subscriptions/${row.id}`);
    expect(shown.body).not.toHaveProperty('guest_name');
    const moved = await send<object>(server, one.manager, `PATCH /events/${id}/subscriptions/${row.id}`, {
      status: 'pending',
    });
    expect(moved.body).not.toHaveProperty('guest_name');
  });

  it('gives way to that of a sign-up, and to that of the account among members', async () => {
    const { id } = await one.event();
    const email = guestAddress();
    await one.guest.subscribe(id, { email, name: 'Gracie' });
    const signUp = { email, password: 'one-that-nobody-else-has-7', name: 'Grace Hopper' };
    await post(`${server.url}/auth/signup`, signUp, { 'x-organization-id': here.organizationId });
    const token = await one.guest.mailed(email, 3);
    const set = await post(`${server.url}/auth/reset-password`, { token, password: 'the-one-that-counts-8' });
    expect(set.status).toBe(200);
    const [row] = await one.subscriptionsOf(email);
    expect(await one.userOf(email)).toMatchObject([{ name: 'Grace Hopper', members: 1 }]);
    expect(await nodeName(one, row.user_id)).toBe('Grace Hopper');
    expect(new Set(await namesOf(one, id, row.id))).toEqual(new Set(['Gracie']));
  });
});
