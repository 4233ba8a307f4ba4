import { expect, vi } from 'vitest';
import { demoOrganizationId as organizationId } from '../../src/db/demo/demo.ts';
import { clientDriver } from './examples/drivers.ts';
import { credentials } from './examples/story.ts';
import { tellStory } from './examples/tell-story.ts';
import { mailedToken, settleMails } from './guests.ts';
import { startReceiver } from './receiver.ts';
import { routesOfTest } from './routes.ts';
import { globalId, query, send } from './send.ts';
import { createKey, post, signIn, type TestServer } from './server.ts';

/**
 * One use of every operation of REST, and of what reads or writes rows in other ways, with what the service then does by itself:
 * it sends mails, delivers webhooks and deletes organizations.
 *
 * @param server with the demo, as {@link tellStory} takes it
 */
export async function useEveryOperation(server: TestServer): Promise<void> {
  const told = await tellStory(server, clientDriver);
  expect(Object.keys(told)).toEqual(routesOfTest.map(({ operationId }) => operationId));

  const signedIn = async ({ email, password }: (typeof credentials)['owner']) => ({
    ...(await signIn(server.url, email, password)),
    organizationId,
  });
  const owner = await signedIn(credentials.owner);
  const ask = async (request: string, body?: object) => {
    const answer = await send<{ id: string; items: { id: string }[] }>(server, owner, request, body);
    expect(answer.status, `${request}: ${answer.text}`).toBeLessThan(300);
    return answer.body;
  };
  const [{ id: event }] = (await ask('GET /events?where={"name":"bread","date_start":{"$gte":"2031-01-01T00:00:00Z"}}'))
    .items as [{ id: string }];
  await ask(`PATCH /events/${event}`, { slug: 'rye', date_start: '2031-05-03T07:00:00Z', capacity: 20 });
  const member = await signedIn(credentials.member);
  const me = await send(server, member, 'GET /auth/me');
  await ask(`POST /events/${event}/subscriptions`, { user_id: me.body.id });
  await send(server, await createKey(server, owner), 'GET /events');
  let answers = 0;
  const receiver = await startReceiver((response) => {
    answers += 1;
    response.writeHead(answers === 1 ? 500 : 200).end();
  });
  const { id: webhook } = await ask('POST /webhooks', { url: receiver.url, kinds: ['event'] });
  await ask(`POST /webhooks/${webhook}/replay`, { since: new Date(Date.now() - 86_400_000).toISOString() });
  for (const path of [
    '/events/export?format=csv',
    '/subscriptions/export?format=ndjson',
    `/events/${event}/subscriptions/export?format=csv`,
    `/events/${event}/calendar.ics`,
  ]) {
    expect((await send(server, path.endsWith('.ics') ? member : owner, `GET ${path}`)).status).toBe(200);
  }
  const joiner = { email: 'joiner@demo.example', name: 'J', password: 'six-cakes-on-a-plate' };
  await post(`${server.url}/auth/signup`, joiner, { 'x-organization-id': organizationId });
  await post(`${server.url}/auth/verify-email`, { token: await mailedToken(server, joiner.email) });
  await query(server, owner, nested, { event: globalId('Event', event) });

  await ask(`PATCH /events/${event}`, { status: 2 });

  await settleMails(server);
  const failed = () =>
    server.execute("select from webhook_delivery where webhook_id = ? and status = 'failed'", [webhook]);
  await vi.waitFor(async () => expect(await failed()).toHaveLength(1), { timeout: 60_000 });
  await ask(`DELETE /webhooks/${webhook}`);
  await receiver.close();
  // those of the demo stay
  const left = () => server.execute('select from organization');
  await vi.waitFor(async () => expect(await left()).toHaveLength(2), { timeout: 60_000, interval: 200 });
}

const nested = `query ($event: ID!) {
  event(id: $event) { viewerSubscription { status } subscriptions(first: 10) { nodes { user { name } changes { nodes { actor { name } } } } } }
  events(first: 10) { nodes { availability subscriptionCounts { accepted } form { version } subscriptions(first: 2) { nodes { status } } } }
  changes { nodes { actor { name } object { id } event { name } form { version } subscription { status } } }
  organization {
    events { nodes { name } } eventSubscriptions { nodes { status } }
    auditEntries { nodes { actor { name } subject { id } } } apiKeys { nodes { creator { name } } }
    webhooks { nodes { creator { name } deliveries { nodes { status webhook { url } } } } }
  }
}`;
