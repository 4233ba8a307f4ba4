import { readFileSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { globalId, graphql } from './graphql.ts';
import { guestAddress, guestOf } from './guests.ts';
import { mailedToken, settleMails } from './mail.ts';
import { startReceiver } from './receiver.ts';
import type { Answer } from './send.ts';
import type { TestServer } from './server.ts';
import { signIn } from './sign-in.ts';
import { createTeam, join } from './team.ts';
import { deliveriesOf } from './webhooks.ts';

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string }>>;
};
const operations = Object.entries(paths)
  // `/organizations/count` is not an organization
  .sort(([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')))
  .flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return operationId ? [{ operationId, method: method.toUpperCase(), path: pattern }] : [];
    }),
  );

function operationOf(request: string): string {
  const [method, target = ''] = request.split(' ');
  const path = target.split('?')[0] as string;
  const found = operations.find((each) => each.method === method && each.path.test(path));
  if (!found) throw new Error(`openapi.json has no ${request}`);
  return found.operationId;
}

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
const password = 'correct horse battery';
const another = 'another horse battery';

/**
 * One use of every operation of the REST face, and the queries of GraphQL that read rows in other ways, with what the service
 * then does by itself: it sends mails, delivers webhooks and deletes an organization.
 *
 * @param server with WEBHOOK_ALLOW for this machine
 * @returns the operations that succeeded
 */
export async function useEveryOperation(server: TestServer): Promise<{ used: Set<string>; all: Set<string> }> {
  const used = new Set<string>();
  const team = await createTeam(server);
  const { owner, manager, member, organizationId } = team;
  const call = async <Body = { id: string }>(
    caller: object,
    request: string,
    body?: unknown,
  ): Promise<Answer<Body>> => {
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...('accessToken' in caller ? { authorization: `Bearer ${caller.accessToken}` } : {}),
        ...('organizationId' in caller ? { 'x-organization-id': String(caller.organizationId) } : {}),
        ...('cookie' in caller && /\/(refresh|logout)$/.test(path) ? { cookie: String(caller.cookie) } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    expect(response.status, `${request}: ${text}`).toBeLessThan(300);
    used.add(operationOf(request));
    const isJson = response.headers.get('content-type')?.includes('json') && !path.includes('export');
    return { status: response.status, headers: response.headers, text, body: (isJson ? JSON.parse(text) : {}) as Body };
  };
  const receiver = await startReceiver();
  try {
    const { body: webhook } = await call<{ id: string; url: string }>(owner, 'POST /webhooks', {
      url: receiver.url,
      kinds: ['event', 'form', 'subscription'],
    });

    // events
    const dates = { date_start: inDays(20), date_end: inDays(21) };
    const fields = { name: 'Bread', status: 1, visibility: 'public', capacity: 2, ...dates };
    const { body: event } = await call(manager, 'POST /events', fields);
    await call(manager, `PATCH /events/${event.id}`, { name: 'Rye bread', slug: 'rye', date_start: inDays(19) });
    await call(manager, `PUT /events/${event.id}/form`, { questions: [{ key: 'diet', type: 'text', label: 'Diet' }] });
    const { body: copy } = await call(manager, `POST /events/${event.id}/duplicate`, {});
    await call(manager, `DELETE /events/${copy.id}`);

    // subscriptions
    const list = `/events/${event.id}/subscriptions`;
    const { body: row } = await call(member, `POST ${list}`, { answers: { diet: 'none' } });
    await call(manager, `POST ${list}`, { user_id: owner.userId });
    const { body: waiting } = await call(manager, `POST ${list}`, {});
    await call(member, `PATCH ${list}/${row.id}`, { answers: { diet: 'bread' } });
    await call(manager, `PATCH ${list}/${row.id}`, { status: 'cancelled' });
    await call(manager, `POST ${list}/transition`, { ids: [row.id, waiting.id], status: 'accepted' });
    const joined = await join(server, organizationId, 'member');
    await call(manager, `POST ${list}/bulk`, { items: [{ user_id: joined.userId }, { user_id: member.userId }] });
    await call(manager, `POST ${list}/${waiting.id}/check-in`);
    await call(manager, `DELETE ${list}/${waiting.id}/check-in`);
    await call(manager, `PATCH /events/${event.id}`, { capacity: 3 });

    // guests
    const guest = guestOf(server, organizationId);
    const email = guestAddress();
    await call({ organizationId }, `POST /public/events/${event.id}/subscriptions`, { email, name: 'Grace' });
    await call({}, 'POST /public/subscriptions/confirm', { token: await guest.mailed(email) });
    const token = await guest.mailed(email, 2);
    await call({}, 'POST /public/subscriptions/lookup', { token });
    await call({}, 'POST /public/subscriptions/answers', { token, answers: { diet: 'none' } });
    await call({}, 'POST /public/subscriptions/cancel', { token });
    await call({}, 'POST /public/subscriptions/erase', { token });

    // accounts
    const newcomer = `newcomer-${event.id}@example.org`;
    await call({}, 'POST /auth/signup', { email: newcomer, name: 'N', password, organization_name: 'Newcomers' });
    await call({}, 'POST /auth/verify-email-request', { email: newcomer });
    await call({}, 'POST /auth/verify-email', { token: await mailedToken(server, newcomer, 2) });
    const joiner = `joiner-${event.id}@example.org`;
    await call({ organizationId }, 'POST /auth/signup', { email: joiner, name: 'J', password });
    await call({}, 'POST /auth/verify-email', { token: await mailedToken(server, joiner) });
    await call({}, 'POST /auth/reset-password-request', { email: joiner });
    await call({}, 'POST /auth/reset-password', { token: await mailedToken(server, joiner, 2), password: another });
    await call({}, 'POST /auth/login', { email: newcomer, password });
    const session = await signIn(server.url, newcomer);
    await call(session, 'POST /auth/change-password', { current_password: password, password: another });
    await call(session, 'PATCH /auth/me', { name: 'Newcomer' });
    await call(session, 'GET /auth/export');
    const further = await signIn(server.url, newcomer, another);
    await call(session, `DELETE /auth/sessions/${further.sessionId}`);
    await call(session, 'DELETE /auth/sessions');
    await call(session, 'POST /auth/refresh');
    const { body: founded } = await call(session, 'POST /organizations', { name: 'Founded' });
    await call({ ...session, organizationId: founded.id }, 'POST /events', fields);
    await call({ ...session, organizationId: founded.id }, 'GET /events/export?format=csv');
    await call(session, `POST /organizations/${founded.id}/delete`, { name: 'Founded' });
    const { body: second } = await call(session, 'POST /organizations', { name: 'Second' });
    await call(session, `DELETE /organizations/${second.id}`, { name: 'Second' });
    await call(session, 'POST /auth/logout');

    // the organization
    await call(owner, 'PATCH /organization', { name: 'Renamed' });
    const invited = `invited-${event.id}@example.org`;
    const { body: invitation } = await call(owner, 'POST /invitations', { email: invited, role: 'manager' });
    await call(owner, `GET /invitations/${invitation.id}`);
    const link = await mailedToken(server, invited);
    await call({ organizationId }, 'POST /auth/signup', { email: invited, name: 'I', password });
    await call({}, 'POST /auth/verify-email', { token: await mailedToken(server, invited, 2) });
    await call(await signIn(server.url, invited), 'POST /invitations/accept', { token: link });
    const { body: revoked } = await call(owner, 'POST /invitations', { email: `other-${invited}`, role: 'member' });
    await call(owner, `DELETE /invitations/${revoked.id}`);
    const leaver = await join(server, organizationId, 'member');
    await call(owner, `PATCH /members/${leaver.membershipId}`, { role: 'manager' });
    await call(owner, `DELETE /members/${leaver.membershipId}`);
    const { body: key } = await call<{ id: string; secret: string }>(owner, 'POST /api-keys', {
      name: 'Shop',
      role: 'manager',
      access: 'write',
    });
    await call({ accessToken: key.secret }, 'GET /events');
    await call(owner, `PATCH /api-keys/${key.id}`, { name: 'Shop of ours' });
    await call(owner, `GET /api-keys/${key.id}`);
    await call(owner, `DELETE /api-keys/${key.id}`);

    // calendars
    const { body: calendar } = await call<{ url: string }>(member, 'POST /auth/calendar');
    await call({}, `GET ${new URL(calendar.url).pathname}`);
    await call(member, 'DELETE /auth/calendar');
    await call(member, `GET /events/${event.id}/calendar.ics`);

    // webhooks
    const [delivery] = await deliveriesOf(server, owner, webhook, 1);
    await call(owner, `POST /webhooks/${webhook.id}/deliveries/${delivery?.id}/retry`);
    await call(owner, `POST /webhooks/${webhook.id}/test`);
    await call(owner, `POST /webhooks/${webhook.id}/secret`);
    await call(owner, `POST /webhooks/${webhook.id}/replay`, { since: inDays(-1) });
    await call(owner, `PATCH /webhooks/${webhook.id}`, { status: 'paused' });

    // reads
    for (const path of ['events', 'members', 'invitations', 'api-keys', 'audit', 'webhooks', 'subscriptions']) {
      await call(owner, `GET /${path}`);
      await call(owner, `POST /${path}/query`, {});
      await call(owner, `GET /${path}/count`);
    }
    for (const path of [
      list,
      `${list}/${row.id}/changes`,
      `/webhooks/${webhook.id}/deliveries`,
      '/auth/sessions',
      '/organizations',
    ]) {
      await call(owner, `GET ${path}`);
      await call(owner, `POST ${path}/query`, {});
      await call(owner, `GET ${path}/count`);
    }
    const { body: organization } = await call<{ slug: string }>(owner, 'GET /organization');
    for (const path of [
      '/auth/me',
      '/.well-known/jwks.json',
      '/organization',
      `/organizations/${organizationId}`,
      `/organizations/${organizationId}/mails`,
      `/organizations/${organizationId}/export`,
      `/members/${member.membershipId}`,
      `/events/${event.id}`,
      `/events/${event.id}/form`,
      `${list}/${row.id}`,
      `${list}/export?format=csv`,
      '/subscriptions/export?format=ndjson',
      `/webhooks/${webhook.id}`,
      '/changes',
      '/changes?since=now',
      '/public/events',
      '/public/events/count',
      `/public/events/${event.id}`,
      `/public/events/${event.id}/form`,
      `/public/organizations/${organization.slug}`,
      '/changes?include=object',
    ]) {
      await call(owner, `GET ${path}`);
    }
    await call(owner, 'POST /changes/query', {});
    await call(owner, 'POST /public/events/query', {});
    const result = await graphql(server, owner, nestedQuery, { event: globalId('Event', event.id) });
    expect(result.errors, result.text).toBeUndefined();
    await call(owner, `DELETE /webhooks/${webhook.id}`);

    await settleMails(server);
    await untilDeleted(server, founded.id);
    const erased = await join(server, organizationId, 'member');
    await call(erased, 'POST /auth/me/erase', { password });
    await call(member, 'DELETE /auth/me', { password });
    return { used, all: new Set(operations.map(({ operationId }) => operationId)) };
  } finally {
    await receiver.close();
  }
}

const nestedQuery = `query ($event: ID!) {
  event(id: $event) { viewerSubscription { status } subscriptions(first: 10) { nodes { user { name } changes { nodes { actor { name } } } } } }
  events(first: 10) { nodes { availability subscriptionCounts { accepted } form { version } subscriptions(first: 2) { nodes { status } } } }
  changes { nodes { actor { name } object { id } event { name } form { version } subscription { status } } }
  organization {
    events { nodes { name } } eventSubscriptions { nodes { status } }
    auditEntries { nodes { actor { name } subject { id } } } apiKeys { nodes { creator { name } } }
    webhooks { nodes { creator { name } deliveries { nodes { status webhook { url } } } } }
  }
}`;

async function untilDeleted(server: TestServer, organizationId: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const left = await server.execute('select from organization where id = ?', [organizationId]);
      expect(left).toEqual([]);
    },
    { timeout: 60_000, interval: 200 },
  );
}
