import { readFileSync } from 'node:fs';
import {
  buildSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import {
  insertEvent,
  insertMember,
  insertMembership,
  insertOrganization,
  insertSubscription,
} from '../support/fixtures.ts';
import { globalId, graphql, send } from '../support/send.ts';
import { createKey, serveTeam, signIn } from '../support/server.ts';
import { countReads } from '../support/statements.ts';
import { createWebhook } from '../support/webhooks.ts';

// How many statements each read takes, whatever the size of its page: further ones than those of an answer's lists,
// counts and relations are a mistake, and one for each row of a page the worst of them.

const { server, team } = await serveTeam();
const { organizationId, owner, member } = team;
const { execute } = server;
await signIn(server.url, owner.email);
const { id: elsewhere } = await insertOrganization(server.orm);
await insertMembership(server.orm, { organizationId: elsewhere, userId: owner.userId });
const { id: stranger } = await insertMember(server.orm, { password: null });
for (let index = 0; index < 3; index += 1) {
  const { id: eventId } = await insertEvent(server.orm, { organizationId, visibility: 'public' });
  for (const userId of [owner.userId, member.userId, stranger])
    await insertSubscription(server.orm, { eventId, userId });
  await createKey(server, owner, { name: `Key ${index}` });
  await createWebhook(server, owner, { url: 'https://example.org/' });
}
await execute(`update webhook set status = 'paused'`);
await execute(`insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, duration_ms, change, seq)
  select gen_random_uuid(), id, gen_random_uuid(), 'event.changed', 1, 'failed', 1, '{}', n from webhook, generate_series(1, 3) n`);
await execute(`insert into subscription_change (id, subscription_id, kind, status_to)
  select gen_random_uuid(), id, 'status', status from subscription`);
await execute(
  `insert into invitation (id, organization_id, email, mailbox, role, inviter_id, created_at, expires_at)
    select gen_random_uuid(), ?, n || '@example.org', n || '@example.org', 'member', ?, now(), now() + interval '1 day' from generate_series(1, 3) n`,
  [organizationId, owner.userId],
);
const find = async (table: string, condition: string) =>
  (await execute<{ id: string }>(`select id from ${table} where ${condition} limit 1`))[0]?.id as string;
const ofOrganization = `organization_id = '${organizationId}'`;
const event = await find('event', ofOrganization);
const subscription = await find('subscription', `event_id = '${event}'`);
const webhook = await find('webhook', ofOrganization);
const nodes = {
  ...{ Event: event, EventSubscription: subscription, EventForm: event, Webhook: webhook },
  ...{ User: member.userId, Organization: organizationId, Membership: member.membershipId, Session: owner.sessionId },
  EventSubscriptionChange: await find('subscription_change', `subscription_id = '${subscription}'`),
  Invitation: await find('invitation', ofOrganization),
  AuditEntry: await find('audit_entry', ofOrganization),
  ApiKey: await find('api_key', ofOrganization),
  WebhookDelivery: await find('webhook_delivery', `webhook_id = '${webhook}'`),
};
const [organization] = await execute<{ slug: string }>('select slug from organization where id = ?', [organizationId]);
const ids: Record<string, string> = {
  ...{ event, subscription, webhook, organization: organizationId, member: member.membershipId },
  ...{ invitation: nodes.Invitation, key: nodes.ApiKey, slug: organization?.slug ?? '' },
  PublicEvent: globalId('PublicEvent', event),
  ...Object.fromEntries(Object.entries(nodes).map(([type, id]) => [type, globalId(type, id)])),
};
// what a session may do is remembered from its first request on
expect((await send(server, owner, 'GET /events')).status).toBe(200);

const lists = [
  ...['/auth/sessions', '/organizations', '/members', '/invitations', '/audit', '/api-keys', '/webhooks', '/events'],
  ...['/events/{event}/subscriptions', '/subscriptions'],
];
const times = (expected: number, ...texts: string[]) => texts.map((text): [string, number] => [text, expected]);
/** The requests of a list, each with its statements. */
const ofList = (path: string, each = 1) => {
  const pages = [`GET ${path}`, `GET ${path}?limit=1&fields=id`, `POST ${path}/query`];
  return times(each, ...pages, `GET ${path}/count`, `GET ${path}/count?max=1`);
};
const requests: [string, number][] = [
  ...lists.flatMap((path) => ofList(path)),
  // beside the page it takes the subscription, which the viewer must see
  ...ofList('/events/{event}/subscriptions/{subscription}/changes', 2),
  ...ofList('/webhooks/{webhook}/deliveries'),
  // one finds the organization, and what its responses are identified by
  ...ofList('/public/events', 2),
  ['GET /webhooks/{webhook}', 1],
  ['GET /changes', 1],
  // the log is empty here
  ['GET /changes?include=object', 1],
  ['POST /changes/query', 1],
  ['GET /auth/me', 1],
  ['GET /organizations/{organization}', 1],
  ['GET /organizations/{organization}/mails', 2],
  ['GET /invitations/{invitation}', 1],
  ['GET /api-keys/{key}', 1],
  ['GET /organization', 1],
  ['GET /members?include=user', 2],
  ['GET /members/{member}', 1],
  ['GET /members/{member}?include=user', 2],
  ['GET /events/{event}', 1],
  ['GET /events?fields=viewer_can', 2],
  ['GET /subscriptions?fields=waiting_position', 2],
  ['GET /subscriptions?fields=viewer_can', 2],
  ['GET /events?fields=availability+places_left+url+subscription_counts', 2],
  ['GET /events/{event}?fields=availability+places_left+url+subscription_counts', 2],
  ['GET /events?where={"viewer_subscription":"accepted"}&from=2020-01-01T00:00:00Z', 1],
  ['GET /subscriptions?include=user+event', 2],
  ['GET /events/{event}/form', 1],
  ['GET /events/{event}/subscriptions?include=user+event', 2],
  ['GET /events/{event}/subscriptions/{subscription}', 1],
  ['GET /events/{event}/subscriptions/{subscription}?include=user+event', 3],
  ['GET /public/events?fields=availability+places_left+url', 2],
  ['GET /public/events/{event}', 2],
  ['GET /public/events/{event}/form', 3],
  ['GET /public/organizations/{slug}', 2],
  ['GET /.well-known/jwks.json', 0],
];

const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);

describe('REST', () => {
  const statementsOf = async (request: string) => {
    const body = request.startsWith('POST') ? {} : undefined;
    const { result, statements } = await countReads(server.orm, () => send(server, owner, request, body));
    expect(result.status, result.text).toBe(200);
    return { statements, body: result.body };
  };

  test.each(requests)('%s runs %i', async (request, expected) => {
    const { statements } = await statementsOf(filled(request));
    expect(statements, statements.join('\n')).toHaveLength(expected);
  });

  test.each(lists)('a page of %s after or before a cursor runs 1', async (path) => {
    const first = await statementsOf(filled(`GET ${path}?limit=1`));
    const second = await statementsOf(filled(`GET ${path}?limit=1&token=${first.body.next}`));
    const back = await statementsOf(filled(`GET ${path}?limit=1&token=${second.body.prev}`));
    expect([second.statements.length, back.statements.length]).toEqual([1, 1]);
    expect(back.body.items).toEqual(first.body.items);
  });

  test('no read is left out', () => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> };
    const reads = Object.entries(paths).flatMap(([path, operations]) => [
      // files, which have tests of their own
      ...('get' in operations && !/(\/export|\/calendar\.ics|^\/calendar\/.*)$/.test(path) ? [`GET ${path}`] : []),
      ...(path.endsWith('/query') ? [`POST ${path}`] : []),
    ]);
    expect(new Set(requests.map(([request]) => request.split('?')[0]))).toEqual(new Set(reads));
  });
});

const page = 'totalCount count(max: 1) { exact } nodes { id } edges { cursor node { id } } pageInfo { hasNextPage }';
const documents: [string, number][] = [
  [`{ viewer { sessions { ${page} } } }`, 4],
  ['{ viewer { memberships { user { name } organization { name } } } }', 4],
  ['{ organization { mails { waiting } } }', 2],
  ['{ organization { members { nodes { user { name } organization { name } } } } }', 4],
  ['{ organization { name members { nodes { organization { name } } } } }', 2],
  ['{ organization { members { nodes { user { memberships { role } sessions { nodes { ip } } } } } } }', 5],
  [`{ organization { members { ${page} } } }`, 4],
  [`{ organization { invitations { ${page} } } }`, 4],
  ['{ organization { auditEntries { nodes { actor { name email } } } } }', 3],
  // keys, webhooks and users
  ['{ organization { auditEntries { nodes { subject { id } } } } }', 6],
  ['{ organization { viewerRole events { nodes { name } } eventSubscriptions { nodes { status } } } }', 3],
  ['{ organization { invitations { nodes { inviter { name } } } } }', 3],
  ['{ organization { apiKeys { nodes { creator { name } } } } }', 3],
  ['{ organization { webhooks { nodes { pending creator { name } } } } }', 3],
  ['{ organization { webhooks { nodes { deliveries { nodes { webhook { url } } } } } } }', 4],
  [`{ organization { auditEntries { ${page} } } }`, 4],
  [`{ organization { apiKeys { ${page} } } }`, 4],
  [`{ organization { webhooks { ${page} } } }`, 4],
  [`{ organization { webhooks { nodes { deliveries { ${page} } } } } }`, 5],
  ['{ changes { edges { cursor node { op } } pageInfo { endCursor hasNextPage } } }', 1],
  // with the events, the subscriptions and the users of the page
  ['{ changes { nodes { actor { name } object { id } event { name } subscription { status } form { version } } } }', 1],
  [`{ events { ${page} } }`, 3],
  ['{ events { nodes { viewerCan { subscribe { code } update { code } cancel { code } delete { code } } } } }', 2],
  ['{ eventBySlug(slug: "unknown") { name } }', 1],
  ['{ publicEventBySlug(slug: "unknown") { name } }', 2],
  ['{ eventSubscriptions { nodes { viewerCan { cancel { code } answer { code } checkIn { code } } } } }', 2],
  ['{ events { nodes { availability placesLeft url subscriptionCounts { accepted checkedIn } } } }', 2],
  ['{ events(from: "2020-01-01T00:00:00Z") { nodes { id } pageInfo { hasPreviousPage } } }', 1],
  ['{ eventSubscriptions { nodes { user { name } event { availability } } } }', 2],
  [`{ eventSubscriptions { ${page} } }`, 3],
  [`{ publicEvents { ${page} } }`, 4],
  ['{ publicEvents { nodes { availability placesLeft url form { version } } } }', 3],
  ['{ publicEvent(id: "{event}") { name form { version } } }', 3],
  ['{ publicOrganization(slug: "{slug}") { events { nodes { form { version } } } } }', 4],
  ['{ events { nodes { form { questions { key options { value } } } older: form(version: 1) { version } } } }', 3],
  ['{ event(id: "{event}") { viewerSubscription { user { name } event { name } } } }', 4],
  [`{ event(id: "{event}") { subscriptions { ${page} } } }`, 3],
  ['{ events { nodes { subscriptions { nodes { user { name } event { name } } } } } }', 2],
  [
    '{ events(first: 3) { nodes { subscriptions(first: 3) { nodes { changes { nodes { subscription { status } actor { name } } } } } } } }',
    3,
  ],
  [`{ events(first: 3) { nodes { subscriptions(first: 3) { nodes { changes { ${page} } } } } } }`, 4],
  [`{ events { nodes { viewerSubscription { id } subscriptions { ${page} } } } }`, 4],
  ...times(1, ...Object.keys(nodes).map((type) => `{ node(id: "{${type}}") { id } }`)),
  ['{ node(id: "{PublicEvent}") { id } }', 2],
  ['{ nodes(ids: ["{Event}", "{EventSubscription}", "{Membership}", "{Event}"]) { id } }', 3],
  ['{ node(id: "{Event}") { ... on Event { subscriptions { nodes { id } } } } }', 2],
];

describe('GraphQL', () => {
  test.each(documents)('%s runs %i', async (document, expected) => {
    const { result, statements } = await countReads(server.orm, () => graphql(server, owner, filled(document)));
    expect(result.errors, result.text).toBeUndefined();
    expect(result.text).not.toContain('"node":null');
    expect(statements, statements.join('\n')).toHaveLength(expected);
  });

  test('no field that leads further, and no count, is left out', () => {
    const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
    const read = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) && !/^(__.*|Mutation|Subscription|.*Payload|BulkError)$/.test(type.name))
      .flatMap((type) =>
        Object.values(isObjectType(type) ? type.getFields() : {})
          .filter((field) => isCompositeType(getNamedType(field.type)) || field.name === 'totalCount')
          .map((field) => `${type.name}.${field.name}`),
      );
    const seen = new Set<string>();
    const types = new TypeInfo(schema);
    const note = { Field: () => void seen.add(`${types.getParentType()?.name}.${types.getFieldDef()?.name}`) };
    for (const [document] of documents) visit(parse(document), visitWithTypeInfo(types, note));
    expect(read.filter((field) => !seen.has(field))).toEqual([]);
  });
});
