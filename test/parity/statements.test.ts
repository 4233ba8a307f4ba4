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
import { beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../support/api-keys.ts';
import {
  insertEvent,
  insertMember,
  insertMembership,
  insertOrganization,
  insertSubscription,
} from '../support/fixtures.ts';
import { globalId, graphql } from '../support/graphql.ts';
import { send } from '../support/send.ts';
import { signIn } from '../support/sign-in.ts';
import { countReads } from '../support/statements.ts';
import { serveTeam } from '../support/team.ts';
import { createWebhook } from '../support/webhooks.ts';

// How many statements each read takes, whatever the size of its page: further ones than those of an answer's lists,
// counts and relations are a mistake, and one for each row of a page the worst of them.

const { server, team } = await serveTeam();
const ids: Record<string, string> = {};

const { organizationId, owner, member } = team;
await signIn(server.url, owner.email);
await insertMembership(server.orm, {
  organizationId: (await insertOrganization(server.orm)).id,
  userId: owner.userId,
});
for (let index = 0; index < 3; index += 1) {
  const event = await insertEvent(server.orm, { organizationId, visibility: 'public' });
  for (const userId of [owner.userId, member.userId, (await insertMember(server.orm, { password: null })).id]) {
    ids.subscription = (await insertSubscription(server.orm, { eventId: event.id, userId })).id;
  }
  ids.event = event.id;
}
const em = server.orm.em.fork();
await em.execute(
  `insert into subscription_change (id, subscription_id, kind, status_to) select gen_random_uuid(), id, 'status', status
    from subscription`,
);
await em.execute(
  `insert into invitation (id, organization_id, email, mailbox, role, inviter_id, created_at, expires_at)
    select gen_random_uuid(), ?, n || '@example.org', n || '@example.org', 'member', ?, now(), now() + interval '1 day' from generate_series(1, 3) n`,
  [organizationId, owner.userId],
);
for (const name of ['One', 'Two', 'Three']) ids.key = (await createKey(server, owner, { name })).id;
const find = async (table: string) =>
  (await em.execute(`select id from ${table} where organization_id = ? limit 1`, [organizationId]))[0]?.id as string;
const [change] = await em.execute('select id from subscription_change where subscription_id = ?', [ids.subscription]);
Object.assign(ids, {
  change: change?.id,
  invitation: await find('invitation'),
  auditEntry: await find('audit_entry'),
});
Object.assign(ids, {
  member: member.membershipId,
  session: owner.sessionId,
  user: member.userId,
  organization: organizationId,
  slug: (await em.execute('select slug from organization where id = ?', [organizationId]))[0]?.slug,
});
for (let index = 0; index < 3; index += 1) {
  const { id } = await createWebhook(server, owner, { url: 'https://example.org/' });
  await em.execute(`update webhook set status = 'paused' where id = ?`, [id]);
  await em.execute(
    `insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, duration_ms, change, seq)
      select gen_random_uuid(), ?, gen_random_uuid(), 'event.changed', 1, 'failed', 1, '{}', 1 from generate_series(1, 3)`,
    [id],
  );
  ids.webhook = id;
}
const [delivery] = await em.execute('select id from webhook_delivery where webhook_id = ?', [ids.webhook]);
ids.delivery = delivery?.id as string;
// what a session may do is remembered from its first request on
expect((await send(server, owner, 'GET /events')).status).toBe(200);

const lists = [
  '/auth/sessions',
  '/organizations',
  '/members',
  '/invitations',
  '/audit',
  '/api-keys',
  '/webhooks',
  '/events',
  '/events/{event}/subscriptions',
  '/subscriptions',
];
/** Beside the page it takes the subscription, which the viewer must see. */
const history = '/events/{event}/subscriptions/{subscription}/changes';
const requests: [string, number][] = [
  ...lists.flatMap((path): [string, number][] => [
    [`GET ${path}`, 1],
    [`GET ${path}?limit=1&fields=id`, 1],
    [`POST ${path}/query`, 1],
    [`GET ${path}/count`, 1],
    [`GET ${path}/count?max=1`, 1],
  ]),
  ...[`GET ${history}`, `GET ${history}?limit=1&fields=id`, `POST ${history}/query`, `GET ${history}/count`].map(
    (request): [string, number] => [request, 2],
  ),
  ...[
    'GET /webhooks/{webhook}/deliveries',
    'GET /webhooks/{webhook}/deliveries?limit=1&fields=id',
    'POST /webhooks/{webhook}/deliveries/query',
  ].map((request): [string, number] => [request, 1]),
  // one that finds the webhook
  ['GET /webhooks/{webhook}/deliveries/count', 2],
  ['GET /webhooks/{webhook}', 1],
  ['GET /webhooks/{webhook}?fields=pending', 1],
  ['GET /changes', 1],
  ['GET /changes?since=now', 1],
  ['GET /changes?kinds=form&limit=1', 1],
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
  ['GET /events?fields=availability', 1],
  ['GET /events?fields=name+subscription_counts+availability', 2],
  ['GET /events/{event}?fields=availability', 1],
  ['GET /events?fields=places_left+url', 1],
  ['GET /events?fields=viewer_can', 2],
  ['GET /subscriptions?fields=waiting_position', 2],
  ['GET /subscriptions?fields=viewer_can', 2],
  ['GET /events/{event}?fields=subscription_counts', 2],
  ['GET /events?where={"viewer_subscription":"accepted"}', 1],
  ['GET /events?from=2020-01-01T00:00:00Z', 1],
  ['GET /subscriptions?include=user', 1],
  ['GET /subscriptions?include=event', 2],
  ['GET /subscriptions?include=user+event', 2],
  ['GET /events/{event}/form', 1],
  ['GET /events/{event}/form?version=0', 1],
  ['GET /events/{event}/subscriptions?include=user', 1],
  ['GET /events/{event}/subscriptions?include=event', 2],
  ['GET /events/{event}/subscriptions?include=user+event', 2],
  ['GET /events/{event}/subscriptions/{subscription}', 1],
  ['GET /events/{event}/subscriptions/{subscription}?include=user', 2],
  ['GET /events/{event}/subscriptions/{subscription}?include=user+event', 3],
  // one that finds the organization, and what its responses are identified by
  ['GET /public/events', 2],
  ['GET /public/events?limit=1&fields=availability', 2],
  ['GET /public/events?fields=places_left+url', 2],
  ['POST /public/events/query', 2],
  ['GET /public/events/count', 2],
  ['GET /public/events/{event}', 2],
  ['GET /public/events/{event}/form', 3],
  ['GET /public/organizations/{slug}', 2],
  ['GET /.well-known/jwks.json', 0],
];

const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);

describe('REST', () => {
  const statementsOf = async (request: string) => {
    const body = request.startsWith('POST') ? {} : undefined;
    const { result, statements } = await countReads(server.orm, () => send(server, team.owner, request, body));
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
  ['{ viewer { name } }', 1],
  ['{ viewer { sessions { nodes { ip } } } }', 2],
  [`{ viewer { sessions { ${page} } } }`, 4],
  ['{ viewer { memberships { role } } }', 2],
  ['{ viewer { memberships { user { name } organization { name } } } }', 4],
  ['{ organization { name } }', 1],
  ['{ organization { mails { waiting } } }', 2],
  ['{ organization { members { nodes { role } } } }', 2],
  ['{ organization { members { nodes { user { name } organization { name } } } } }', 4],
  ['{ organization { name members { nodes { organization { name } } } } }', 2],
  ['{ organization { members { nodes { user { memberships { role } sessions { nodes { ip } } } } } } }', 5],
  [`{ organization { members { ${page} } } }`, 4],
  ['{ organization { invitations { nodes { email } } } }', 2],
  [`{ organization { invitations { ${page} } } }`, 4],
  ['{ organization { auditEntries { nodes { action } } } }', 2],
  ['{ organization { auditEntries { nodes { actor { name email } } } } }', 3],
  // keys, webhooks and users
  ['{ organization { auditEntries { nodes { subject { id } } } } }', 6],
  ['{ organization { viewerRole events { nodes { name } } } }', 2],
  ['{ organization { eventSubscriptions { nodes { status } } } }', 2],
  ['{ organization { invitations { nodes { inviter { name } } } } }', 3],
  ['{ organization { apiKeys { nodes { creator { name } } } } }', 3],
  ['{ organization { webhooks { nodes { creator { name } } } } }', 3],
  ['{ organization { webhooks { nodes { deliveries { nodes { webhook { url } } } } } } }', 4],
  [
    '{ events(first: 3) { nodes { subscriptions(first: 3) { nodes { changes { nodes { subscription { status } } } } } } } }',
    3,
  ],
  [`{ organization { auditEntries { ${page} } } }`, 4],
  ['{ organization { apiKeys { nodes { name } } } }', 2],
  [`{ organization { apiKeys { ${page} } } }`, 4],
  ['{ organization { webhooks { nodes { url pending } } } }', 2],
  [`{ organization { webhooks { ${page} } } }`, 4],
  ['{ organization { webhooks { nodes { deliveries { nodes { status } } } } } }', 3],
  [`{ organization { webhooks { nodes { deliveries { ${page} } } } } }`, 5],
  ['{ changes { edges { cursor node { op } } pageInfo { endCursor hasNextPage } } }', 1],
  // with the events, the subscriptions and the users of the page
  ['{ changes { nodes { actor { name } object { id } event { name } subscription { status } form { version } } } }', 1],
  ['{ events { nodes { name } } }', 1],
  [`{ events { ${page} } }`, 3],
  ['{ event(id: "{event}") { name } }', 1],
  ['{ events { nodes { availability placesLeft url } } }', 1],
  ['{ events { nodes { viewerCan { subscribe { code } update { code } cancel { code } delete { code } } } } }', 2],
  ['{ eventBySlug(slug: "unknown") { name } }', 1],
  ['{ publicEventBySlug(slug: "unknown") { name } }', 2],
  ['{ eventSubscriptions { nodes { viewerCan { cancel { code } answer { code } checkIn { code } } } } }', 2],
  ['{ events { nodes { availability subscriptionCounts { accepted checkedIn } } } }', 2],
  ['{ events(from: "2020-01-01T00:00:00Z") { nodes { id } pageInfo { hasPreviousPage } } }', 1],
  ['{ eventSubscriptions { nodes { user { name } event { availability } } } }', 2],
  [`{ eventSubscriptions { ${page} } }`, 3],
  ['{ publicEvents { nodes { name availability placesLeft url } } }', 2],
  [`{ publicEvents { ${page} } }`, 4],
  ['{ publicEvents { nodes { form { version } } } }', 3],
  ['{ publicEvent(id: "{event}") { name form { version } } }', 3],
  ['{ publicOrganization(slug: "{slug}") { name } }', 2],
  ['{ publicOrganization(slug: "{slug}") { events { nodes { form { version } } } } }', 4],
  ['{ node(id: "{PublicEvent}") { id } }', 2],
  ['{ event(id: "{event}") { form { version } } }', 2],
  ['{ events { nodes { form { questions { key options { value } } } older: form(version: 1) { version } } } }', 3],
  ['{ event(id: "{event}") { viewerSubscription { status } } }', 2],
  ['{ event(id: "{event}") { viewerSubscription { user { name } event { name } } } }', 4],
  ['{ event(id: "{event}") { subscriptions { nodes { status } } } }', 1],
  [`{ event(id: "{event}") { subscriptions { ${page} } } }`, 3],
  ['{ events { nodes { subscriptions { nodes { user { name } event { name } } } } } }', 2],
  [
    '{ events(first: 3) { nodes { subscriptions(first: 3) { nodes { changes { nodes { statusTo actor { name } } } } } } } }',
    2,
  ],
  [`{ events(first: 3) { nodes { subscriptions(first: 3) { nodes { changes { ${page} } } } } } }`, 4],
  [`{ events { nodes { viewerSubscription { id } subscriptions { ${page} } } } }`, 4],
  ...[
    'Event',
    'EventSubscription',
    'EventSubscriptionChange',
    'User',
    'Organization',
    'Membership',
    'Invitation',
    'Session',
    'AuditEntry',
    'ApiKey',
    'Webhook',
    'WebhookDelivery',
    'EventForm',
  ].map((type): [string, number] => [`{ node(id: "{${type}}") { id } }`, 1]),
  ['{ nodes(ids: ["{Event}", "{EventSubscription}", "{Membership}", "{Event}"]) { id } }', 3],
  ['{ node(id: "{Event}") { ... on Event { subscriptions { nodes { id } } } } }', 2],
];

describe('GraphQL', () => {
  beforeAll(() => {
    const { event, subscription, change, user, organization, member, invitation, session, auditEntry, key } = ids;
    const { webhook, delivery } = ids;
    const nodes = { Event: event, EventSubscription: subscription, User: user, Organization: organization };
    const others = {
      EventSubscriptionChange: change,
      Membership: member,
      Invitation: invitation,
      Session: session,
      AuditEntry: auditEntry,
      ApiKey: key,
      Webhook: webhook,
      WebhookDelivery: delivery,
      PublicEvent: event,
      EventForm: event,
    };
    for (const [type, id] of Object.entries({ ...nodes, ...others })) ids[type] = globalId(type, id as string);
  });

  test.each(documents)('%s runs %i', async (document, expected) => {
    const { result, statements } = await countReads(server.orm, () => graphql(server, team.owner, filled(document)));
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
