import { describe, expect, it } from 'vitest';
import { guestAddress, guestOf, guestWorld, mailsTo } from '../support/guests.ts';
import { type Caller, globalId, query, send } from '../support/send.ts';
import { createTeam, join, post, serve, signIn, type Team } from '../support/server.ts';

const server = await serve();
const [here, there] = [await createTeam(server), await createTeam(server)];

const world = (team: Team) => ({
  ...guestWorld(server, team),
  guest: guestOf(server, team.organizationId),
  manager: team.manager,
});
const [one, two] = [world(here), world(there)];
type World = typeof one;

/** A subscription by either API, in the words of REST. */
interface Shown {
  id: string;
  attendee_name: string;
  user: { name: string | null };
}

const shown = 'id: databaseId attendee_name: attendeeName user { name }';
const read = async (caller: Caller, path: string) =>
  (await send<{ items: Shown[] }>(server, caller, `GET ${path}`)).body;
const fileOf = async (caller: Caller, path: string) => (await send(server, caller, `GET ${path}`)).text;
const itemsOf = (lines: string) => lines.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Shown] : []));

/** The names of a subscription and its user, at each place where answers show it. */
function namesIn(answer: unknown, id: string): { attendee: string; user: string | null }[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const { attendee_name: attendee, user } = answer as Shown;
  const own = (answer as Shown).id === id ? [{ attendee, user: user.name }] : [];
  return [...own, ...Object.values(answer).flatMap((each) => namesIn(each, id))];
}

/** The same in every way in which an organization reads them. */
async function namesOf({ manager }: World, eventId: string, subscriptionId: string) {
  const path = `/events/${eventId}/subscriptions`;
  const search = 'include=user&fields=id+attendee_name';
  const rows = (await fileOf(manager, `${path}/export?format=csv&${search}`)).split('\r\n');
  expect(rows[0]).toMatch(/^id,attendee_name,user\.id,user\.name,/);
  const cells = rows.slice(1).map((row) => row.split(','));
  const document = `query ($event: ID!, $subscription: ID!) {
    event(id: $event) { subscriptions { nodes { ${shown} } } }
    events(where: { id: { eq: $event } }) { nodes { subscriptions(first: 5) { edges { node { ${shown} } } } } }
    eventSubscriptions(last: 50) { nodes { ${shown} } }
    node(id: $subscription) { ... on EventSubscription { ${shown} } }
  }`;
  const node = globalId('EventSubscription', subscriptionId);
  const answers = [
    await read(manager, `${path}?include=user`),
    await read(manager, `/subscriptions?${search}&sort=-1&limit=50`),
    await read(manager, `${path}/${subscriptionId}?include=user`),
    itemsOf(await fileOf(manager, `${path}/export?format=ndjson&${search}`)),
    cells.map(([id, attendee_name, _, name]) => ({ id, attendee_name, user: { name: name || null } })),
    await query(server, manager, document, { event: eventId, subscription: node }),
  ];
  return namesIn(answers, subscriptionId);
}

async function nodeName({ manager }: World, userId: string): Promise<string | null | undefined> {
  const document = `{ node(id: "${globalId('User', userId)}") { ... on User { name } } }`;
  return (await query<{ node: { name: string | null } | null }>(server, manager, document)).node?.name;
}

const everywhere = (attendee: string, user: string | null) => Array(9).fill({ attendee, user });

/**
 * A subscription that somebody makes as a guest.
 *
 * @param earlier the mails that the address got before
 */
async function subscribed(
  { guest, subscriptionsOf }: World,
  eventId: string,
  name: string,
  { email = guestAddress(), earlier = 0 }: { email?: string; earlier?: number } = {},
) {
  await guest.request(eventId, { email, name });
  expect((await guest.confirm(await guest.mailed(email, earlier + 1))).status).toBe(200);
  await mailsTo(server, email, earlier + 2);
  const { id, user_id: userId } = (await subscriptionsOf(email)).at(-1) as { id: string; user_id: string };
  return { email, id, userId };
}

describe('the name of who attends', () => {
  it('is the one given with the subscription, for the organization that it was given to', async () => {
    const [first, second] = [await one.event(), await two.event()];
    const mine = await subscribed(one, first.id, 'Grace H.');
    const theirs = await subscribed(two, second.id, 'Rear Admiral', { email: mine.email, earlier: 2 });
    expect(await namesOf(one, first.id, mine.id)).toEqual(everywhere('Grace H.', null));
    expect(await namesOf(two, second.id, theirs.id)).toEqual(everywhere('Rear Admiral', null));
    expect([await nodeName(one, mine.userId), await nodeName(two, mine.userId)]).toEqual([null, null]);
    const mails = await mailsTo(server, mine.email, 4);
    expect(mails[1]?.text).toMatch(/^Hello Grace H\.,/);
    expect(mails[3]?.text).toMatch(/^Hello Rear Admiral,/);
    expect(await one.userOf(mine.email)).toMatchObject([{ name: 'Guest' }]);
  });

  it('may differ between subscriptions of one person, whose own name is the same in every place of an answer', async () => {
    const [older, newer] = [await one.event(), await one.event()];
    const first = await subscribed(one, older.id, 'First');
    const second = await subscribed(one, newer.id, 'Second', { email: first.email, earlier: 2 });
    const document = `query ($event: ID!, $user: ID!, $subscription: ID!) {
      event(id: $event) { subscriptions { nodes { ${shown} } } }
      user: node(id: $user) { ... on User { name } }
      history: node(id: $subscription) { ... on EventSubscription { attendeeName user { name } changes { nodes { actor { name } } } } }
    }`;
    const nodes = { user: globalId('User', first.userId), subscription: globalId('EventSubscription', second.id) };
    const answer = await query<{ user: object }>(server, one.manager, document, { event: older.id, ...nodes });
    expect(namesIn(answer, first.id)).toEqual([{ attendee: 'First', user: null }]);
    expect(answer.user).toEqual({ name: null });
    expect(await namesOf(one, newer.id, second.id)).toEqual(everywhere('Second', null));
  });

  it('is that of the answer to a write, too, in both APIs', async () => {
    const { id } = await one.event();
    const mine = await subscribed(one, id, 'Written');
    const document = `mutation ($id: ID!) {
      one: updateEventSubscription(input: { id: $id, status: PENDING, notify: false }) { eventSubscription { ${shown} } }
      many: updateEventSubscriptions(input: { ids: [$id], status: ACCEPTED, notify: false }) { eventSubscriptions { ${shown} } }
    }`;
    const answer = await query(server, one.manager, document, { id: mine.id });
    expect(namesIn(answer, mine.id)).toEqual(Array(2).fill({ attendee: 'Written', user: null }));
    const path = `/events/${id}/subscriptions`;
    const moved = await send(server, one.manager, `PATCH ${path}/${mine.id}`, { status: 'pending' });
    expect(moved.body).toMatchObject({ attendee_name: 'Written' });
    expect(moved.body).not.toHaveProperty('guest_name');
    const all = { ids: [mine.id], status: 'accepted' };
    const several = await send(server, one.manager, `POST ${path}/transition`, all);
    expect(several.body).toMatchObject({ items: [{ attendee_name: 'Written' }] });
  });

  it("stays when the guest signs up; the user then has the account's name", async () => {
    const { id } = await one.event();
    const mine = await subscribed(one, id, 'Gracie');
    const signUp = { email: mine.email, password: 'one-that-nobody-else-has-7', name: 'Grace Hopper' };
    await post(`${server.url}/auth/signup`, signUp, { 'x-organization-id': here.organizationId });
    const { email } = mine;
    expect((await post(`${server.url}/auth/login`, { email, password: signUp.password })).status).toBe(400);
    expect((await mailsTo(server, email, 3))[2]?.subject).toBe('Choose a password');
    const token = await one.guest.mailed(email, 3);
    const set = await post(`${server.url}/auth/reset-password`, { token, password: 'the-one-that-counts-8' });
    expect(set.status).toBe(200);
    expect(await one.userOf(mine.email)).toMatchObject([{ name: 'Grace Hopper', members: 1 }]);
    const { accessToken } = await signIn(server.url, email, 'the-one-that-counts-8');
    const own = { accessToken, organizationId: here.organizationId };
    expect((await send(server, own, `GET /events/${id}/subscriptions/${mine.id}`)).body.status).toBe('accepted');
    expect(await nodeName(one, mine.userId)).toBe('Grace Hopper');
    expect(await namesOf(one, id, mine.id)).toEqual(everywhere('Gracie', 'Grace Hopper'));
    // a stranger to the other organization, although the address is that of an account
    const other = await two.event();
    const there = await subscribed(two, other.id, 'G. Hopper', { email: mine.email, earlier: 4 });
    expect(await namesOf(two, other.id, there.id)).toEqual(everywhere('G. Hopper', null));
  });

  it("is the account's where none was given, as it is by now, also once the member has left", async () => {
    const { id } = await one.event();
    const person = await join(server, here.organizationId, 'member');
    const { body } = await send<{ id: string }>(server, person, `POST /events/${id}/subscriptions`);
    expect(await namesOf(one, id, body.id)).toEqual(everywhere('A member', 'A member'));
    await send(server, person, 'PATCH /auth/me', { name: 'Renamed' });
    expect(await namesOf(one, id, body.id)).toEqual(everywhere('Renamed', 'Renamed'));
    const left = await send(server, here.owner, `DELETE /members/${person.membershipId}`);
    expect(left.status, left.text).toBe(200);
    expect(await namesOf(one, id, body.id)).toEqual(everywhere('Renamed', 'Renamed'));
    // who was a member keeps the account's name as a guest
    const next = await one.event();
    const guest = await subscribed(one, next.id, 'R.', { email: person.email, earlier: 2 });
    expect(await namesOf(one, next.id, guest.id)).toEqual(everywhere('R.', 'Renamed'));
    expect(await namesOf(one, id, body.id)).toEqual(everywhere('Renamed', 'Renamed'));
    const idle = await join(server, here.organizationId, 'member');
    await send(server, here.owner, `DELETE /members/${idle.membershipId}`);
    const other = await subscribed(one, next.id, 'I.', { email: idle.email });
    expect(await namesOf(one, next.id, other.id)).toEqual(everywhere('I.', 'A member'));
  });

  it('is "Deleted user" of who was erased', async () => {
    const { id } = await one.event();
    const mine = await subscribed(one, id, 'Soon Gone');
    const token = await one.guest.mailed(mine.email, 2);
    const erased = await send(server, {}, 'POST /public/subscriptions/erase', { token });
    expect(erased.status, erased.text).toBe(200);
    expect(await namesOf(one, id, mine.id)).toEqual(everywhere('Deleted user', 'Deleted user'));
    expect(await nodeName(one, mine.userId)).toBe('Deleted user');
  });
});

describe('a filter by the name of who attends', () => {
  const whereOf = (where: object) => `where=${encodeURIComponent(JSON.stringify(where))}`;
  const search = async ({ manager }: World, eventId: string, text: string, negated = false) => {
    const where = negated ? { $not: { attendee_name: text } } : { attendee_name: text };
    const path = `/events/${eventId}/subscriptions`;
    const search = whereOf(where);
    const names = (rows: { attendee_name: string }[]) => rows.map((each) => each.attendee_name);
    const found = names((await read(manager, `${path}?${search}`)).items);
    const lines = await fileOf(manager, `${path}/export?format=ndjson&fields=attendee_name&${search}`);
    expect(names(itemsOf(lines))).toEqual(found);
    return found;
  };

  it('finds given names and names of accounts, by any part, whatever the case', async () => {
    const { id } = await one.event();
    const person = await join(server, here.organizationId, 'member');
    await send(server, person, 'PATCH /auth/me', { name: 'Ada Query' });
    await send(server, person, `POST /events/${id}/subscriptions`);
    await subscribed(one, id, 'Quentin 100%');
    expect(await search(one, id, 'QUE')).toEqual(['Ada Query', 'Quentin 100%']);
    expect(await search(one, id, 'q')).toEqual(['Ada Query', 'Quentin 100%']);
    expect(await search(one, id, '0%')).toEqual(['Quentin 100%']);
    expect(await search(one, id, 'que', true)).toEqual([]);
    expect(await search(one, id, 'ada', true)).toEqual(['Quentin 100%']);
    expect(await search(one, id, 'Guest')).toEqual([]);
  });

  it('shows members only their own', async () => {
    const { id } = await one.event();
    await subscribed(one, id, 'Hidden Name');
    const found = await read(here.member, `/events/${id}/subscriptions?${whereOf({ attendee_name: 'Hidden' })}`);
    expect(found.items).toEqual([]);
  });
});
