import { randomUUIDv7 } from 'node:crypto';
import { expect } from 'vitest';
import { createKey } from './api-keys.ts';
import { changesPage } from './changes.ts';
import { callerHeaders, globalId, query } from './graphql.ts';
import { guestAddress, guestOf } from './guests.ts';
import { mailedToken, settleMails } from './mail.ts';
import { startReceiver } from './receiver.ts';
import { send } from './send.ts';
import type { TestServer } from './server.ts';
import { post, refreshWith, signIn } from './sign-in.ts';
import { createTeam } from './team.ts';
import { createWebhook, messagesOf } from './webhooks.ts';

// What the service does for accounts and organizations, for tests of the role that it has in the database.

const future = { date_start: '2031-05-05T17:00:00Z', date_end: '2031-05-05T19:00:00Z' };

/** An account with an organization, from sign-up to the deletion of both. */
export async function liveAccount(at: TestServer): Promise<void> {
  const { url } = at;
  const email = `ada-${randomUUIDv7()}@example.org`;
  const fields = { email, name: 'Ada', password: 'a long enough phrase 1', organization_name: 'Harbour Arts' };
  expect((await post(`${url}/auth/signup`, fields)).status).toBe(200);
  expect((await post(`${url}/auth/verify-email`, { token: await mailedToken(at, email) })).status).toBe(200);
  const signedIn = await signIn(url, email, fields.password);
  expect((await refreshWith(url, signedIn.cookie)).status).toBe(200);
  expect((await post(`${url}/auth/reset-password-request`, { email })).status).toBe(200);
  const token = await mailedToken(at, email, 2);
  const password = 'another long phrase 2';
  expect((await post(`${url}/auth/reset-password`, { token, password })).status).toBe(200);
  const caller = await signIn(url, email, password);
  expect((await send(at, caller, 'GET /auth/sessions')).status).toBe(200);
  expect((await fetch(`${url}/auth/export`, { headers: callerHeaders(caller) })).status).toBe(200);
  const me = await send<{ organizations: { id: string }[] }>(at, caller, 'GET /auth/me');
  const [organization] = me.body.organizations;
  const gone = await send(at, caller, `POST /organizations/${organization?.id}/delete`, {
    name: 'Harbour Arts',
  });
  expect(gone.status, gone.text).toBe(200);
  expect((await send(at, caller, 'POST /auth/me/erase', { password })).status).toBe(200);
  const left = () => at.execute('select from organization where id = ?', [organization?.id]);
  await expect.poll(left).toEqual([]);
}

/** An event with guests, keys, webhooks, changes and exports, on both faces; the service may call loopback addresses. */
export async function liveEvent(at: TestServer): Promise<void> {
  const team = await createTeam(at);
  const { owner, manager, member } = team;
  const receiver = await startReceiver();
  try {
    await createWebhook(at, owner, { url: receiver.url, kinds: ['event', 'subscription', 'form'] });
    const since = await changesPage(at, owner, 'since=now');
    const key = await createKey(at, owner);
    const event = { ...future, name: 'Bread', capacity: 1, status: 1, visibility: 'public' };
    const headers = { 'idempotency-key': randomUUIDv7() };
    const made = await send<{ id: string }>(at, key, 'POST /events', event, headers);
    const retried = await send<{ id: string }>(at, key, 'POST /events', event, headers);
    expect([made.status, retried.body.id]).toEqual([201, made.body.id]);
    const { id } = made.body;
    const questions = [{ key: 'diet', type: 'text', label: 'Diet' }];
    expect((await send(at, manager, `PUT /events/${id}/form`, { questions })).status).toBe(200);
    const input = `{eventId: "${globalId('Event', id)}", answers: {diet: "none"}}`;
    await query(at, member, `mutation { subscribeToEvent(input: ${input}) { eventSubscription { status } } }`);
    const guest = guestOf(at, team.organizationId);
    expect(await guest.subscribe(id, { email: guestAddress() })).toMatchObject({ status: 'waitlisted' });
    const cancel = `mutation { updateEvent(input: {id: "${globalId('Event', id)}", name: "Bread again", capacity: 2}) { event { version } } }`;
    await query(at, manager, cancel);
    const invitation = { email: guestAddress(), role: 'member' };
    expect((await send(at, owner, 'POST /invitations', invitation)).status).toBe(201);
    expect((await send(at, owner, 'GET /audit')).status).toBe(200);
    for (const url of ['/events/export?format=csv', '/public/events', `/events/${id}/calendar.ics`]) {
      expect((await fetch(`${at.url}${url}`, { headers: callerHeaders(manager) })).status, url).toBe(200);
    }
    const changed = await changesPage(at, owner, `token=${since.body.next}`);
    expect(changed.body.items.length).toBeGreaterThan(3);
    const list = `{ events(where: {name: {contains: "bread"}}) { totalCount nodes { subscriptions { nodes { status user { name } } } } }
      auditEntries: organization { auditEntries { totalCount } } }`;
    expect(await query(at, owner, list)).toMatchObject({ events: { totalCount: 1 } });
    await messagesOf(receiver, 4, 30_000);
    await settleMails(at);
  } finally {
    await receiver.close();
  }
}
