import { apiKeyResource } from '../../src/domain/api-key/api-key.resource.ts';
import { apiKeys } from '../../src/domain/api-key/api-key.ts';
import { auditResource } from '../../src/domain/audit/audit.resource.ts';
import { auditTrail } from '../../src/domain/audit/audit-trail.ts';
import { eventResource } from '../../src/domain/event/event.resource.ts';
import { countEvents, findEvent, findEvents, listEvents } from '../../src/domain/event/event.ts';
import { formLoader } from '../../src/domain/event/event-form.ts';
import { subscriptionCountsLoader } from '../../src/domain/event/subscription-counts.ts';
import { invitationResource } from '../../src/domain/invitation/invitation.resource.ts';
import { invitations } from '../../src/domain/invitation/invitation.ts';
import { membershipResource } from '../../src/domain/organization/membership.resource.ts';
import { findMemberships, listOwnMemberships, members } from '../../src/domain/organization/membership.ts';
import { organizationResource } from '../../src/domain/organization/organization.resource.ts';
import { ownOrganizations } from '../../src/domain/organization/organization.ts';
import { publicEventResource } from '../../src/domain/public/public-event.resource.ts';
import {
  countPublicEvents,
  findPublicEvent,
  listPublicEvents,
  publicEventLoader,
  publicFormLoader,
} from '../../src/domain/public/public-events.ts';
import { enterPublicScope } from '../../src/domain/public/public-scope.ts';
import { ownSessions } from '../../src/domain/session/own-sessions.ts';
import { sessionResource } from '../../src/domain/session/session.resource.ts';
import {
  countOrganizationSubscriptions,
  listOrganizationSubscriptions,
} from '../../src/domain/subscription/organization-subscriptions.ts';
import { eventPermissionsLoader, subscriptionPermissionsLoader } from '../../src/domain/subscription/permissions.ts';
import { subscriptionResource } from '../../src/domain/subscription/subscription.resource.ts';
import {
  eventSubscriptions,
  findSubscriptions,
  findViewerSubscriptions,
  listSubscriptions,
  nestedSubscriptions,
  subscriptionPageLoader,
} from '../../src/domain/subscription/subscription.ts';
import { subscriptionChangeResource } from '../../src/domain/subscription/subscription-change.resource.ts';
import { findChanges, subscriptionChanges } from '../../src/domain/subscription/subscription-changes.ts';
import { waitingPositionLoader } from '../../src/domain/subscription/waiting-position.ts';
import { findKnownUsers, findUsers, userColumns } from '../../src/domain/user/user.ts';
import { webhookDeliveryResource, webhookResource } from '../../src/domain/webhook/webhook.resource.ts';
import { findWebhookDeliveries, webhookDeliveries, webhooks } from '../../src/domain/webhook/webhook.ts';
import type { MemberContext } from '../../src/engine/context.ts';
import { everything } from '../../src/engine/list/condition.ts';
import type { Paging } from '../../src/engine/list/list.ts';
import { parseWhere } from '../../src/engine/list/where.ts';
import { organizationRoles } from '../../src/kernel/request.ts';
import { restDialect } from '../../src/rest/server/list-query.ts';
import { graphqlDialect } from '../../src/schema/relay/dialect.ts';
import type { Where } from './faces.ts';
import {
  byIds,
  firstPage,
  furtherPages,
  id,
  labelOf,
  moment,
  other,
  pages,
  type Recorded,
  type Run,
  record,
  recorded,
  recordList,
  relay,
} from './record-lists.ts';

const eventFilters: Where[] = [
  { id },
  { slug: { $in: ['a', 'b'] } },
  { status: { $ne: 1 } },
  { status: { $in: [1, 2] } },
  { visibility: 'public' },
  { capacity: null },
  { capacity: { $ne: null } },
  { capacity: { $ne: 5 } },
  { capacity: { $gte: 20, $lt: 30 } },
  { date_start: { $gt: moment }, date_end: { $lte: moment } },
  { name: 'j' },
  { name: 'jaz' },
  { $not: { name: 'jaz' } },
  { $not: { capacity: { $gt: 20 } } },
  { $not: { status: 1, visibility: 'public' } },
  { $or: [{ status: 2 }, { visibility: 'public', capacity: null }] },
  { viewer_subscription: { $in: ['accepted', 'pending'] } },
  { viewer_subscription: null },
  { $or: [{ status: 2 }, { viewer_subscription: { $ne: 'accepted' } }] },
];

const page = (paging: Paging, columns: readonly string[] = ['id']) => ({ where: everything, columns, paging });

async function recordPages(title: string, run: (paging: Paging) => Run, of = pages): Promise<void> {
  for (const [name, paging] of of) await record(`${title}, ${name}`, run(paging));
}

/** Every statement that lists, counts or finds, as each role: none is run. */
export async function everyListStatement(): Promise<readonly Recorded[]> {
  await recordList({
    name: 'events',
    resource: eventResource,
    list: listEvents,
    count: countEvents,
    find: findEvents,
    filters: eventFilters,
    typical: { status: 1 },
  });
  await recordPages('events', (paging) => (ctx) => listEvents(ctx, page(paging)), furtherPages);
  await recordPages(
    'events, by created_at',
    (paging) => (ctx) => listEvents(ctx, { ...page(paging), order: 'created_at' }),
  );
  await record('events, first page with their availability', (ctx) =>
    listEvents(ctx, page(firstPage, ['name', 'availability'])),
  );
  for (const sort of [1, -1] as const) {
    await record(`events, first page from a time, sort ${sort}`, (ctx) =>
      listEvents(ctx, page({ ...firstPage, sort, time: moment })),
    );
  }
  await record(
    'events, the counts of their subscriptions',
    (ctx) => subscriptionCountsLoader(ctx).loadMany([id, other]),
    ['owner', 'manager'],
  );
  const graphql = graphqlDialect((value) => String(value));
  for (const phase of ['UPCOMING', 'IN_PROGRESS', 'CONCLUDED']) {
    for (const filter of [{ phase: { eq: phase } }, { not: { phase: { eq: phase } } }]) {
      const where = parseWhere(eventResource, filter, graphql);
      await record(`events, first page by ${labelOf(filter)}`, (ctx) => listEvents(ctx, { ...page(firstPage), where }));
    }
  }
  await record('events, count by {"name":"j"}', (ctx) =>
    countEvents(ctx, parseWhere(eventResource, { name: 'j' }, restDialect)),
  );

  await recordList({
    name: 'public events',
    resource: publicEventResource,
    list: listPublicEvents,
    count: countPublicEvents,
    find: (ctx, ids, columns) => publicEventLoader(ctx, columns).loadMany([...ids]),
    typical: { status: 1 },
    filters: [{ slug: 'a' }, { name: 'jaz' }, { date_end: { $gte: moment } }],
  });
  const reads: [string, Run][] = [
    ['an event by its id or slug', (ctx) => findEvent(ctx, { id, slug: id }, ['name', 'url'])],
    ['events, what the viewer can do', (ctx) => eventPermissionsLoader(ctx).loadMany([id, other])],
    ['subscriptions, what the viewer can do', (ctx) => subscriptionPermissionsLoader(ctx).loadMany([id, other])],
    ['subscriptions, their positions on waiting lists', (ctx) => waitingPositionLoader(ctx).loadMany([id, other])],
    ['a public event by its id or slug', (ctx) => findPublicEvent(ctx, { id, slug: id }, ['name'])],
    ['a public event by its slug', (ctx) => findPublicEvent(ctx, { slug: 'a' }, ['availability'])],
    ['the organization of public events', (ctx) => enterPublicScope(ctx, id)],
    ['the forms of events', (ctx) => formLoader(ctx, null).loadMany([id, other])],
    ['an older version of a form', (ctx) => formLoader(ctx, 1).load(id)],
    ['the forms of public events', (ctx) => publicFormLoader(ctx).load(id)],
    // a cursor is of one event's list alone
    ['subscriptions of several events, first page', (ctx) => listSubscriptions(ctx, [id, other], page(firstPage))],
    ['subscriptions of several events, count', (ctx) => eventSubscriptions.count(ctx, [id, other], everything)],
    [
      'histories of several subscriptions, first page',
      (ctx) => subscriptionChanges.list(ctx, [id, other], page(firstPage)),
    ],
    ["subscriptions, the viewer's own", (ctx) => findViewerSubscriptions(ctx, [id, other], ['status'])],
    ['member, one', (ctx) => members.get(ctx, id, ['user_id', 'role'])],
    ["memberships, the viewer's own", listOwnMemberships],
    ['users, by ids', (ctx) => findUsers(ctx, [id, other], userColumns)],
    ['users whom the viewer knows, by ids', (ctx) => findKnownUsers(ctx, [id, other], userColumns)],
  ];
  for (const [title, run] of reads) await record(title, run);

  await recordList({
    name: 'subscriptions of an event',
    resource: subscriptionResource,
    list: (ctx, input) => listSubscriptions(ctx, [id], input),
    count: (ctx, where, max) => eventSubscriptions.count(ctx, [id], where, max),
    find: findSubscriptions,
    typical: { status: 'accepted' },
    filters: [
      { user_id: id },
      { attendee_name: 'j' },
      { checked_in_at: null },
      { checked_in_at: { $ne: null } },
      { updated_at: { $gt: moment } },
    ],
  });
  const withUsers = (paging: Paging) => ({ ...page(paging, ['user_id']), userColumns });
  await recordPages(
    'subscriptions with their users',
    (paging) => (ctx) => listSubscriptions(ctx, [id], withUsers(paging)),
  );
  for (const [title, where] of [
    ['their subscriptions', everything],
    ['their accepted subscriptions', parseWhere(subscriptionResource, { status: 'accepted' }, restDialect)],
  ] as const) {
    const columns = ['status', 'user_id'];
    const subscriptions = { where, columns, userColumns: ['id', 'name'], paging: { ...relay, size: 5 } };
    const nested = (ctx: MemberContext) =>
      nestedSubscriptions(ctx, subscriptions, subscriptionPageLoader(ctx, subscriptions));
    await recordPages(
      `events with ${title}`,
      (paging) => (ctx) => listEvents(ctx, { ...page(paging, ['name']), cursors: false, nested: nested(ctx) }),
    );
    await record(`events by ids with ${title}`, (ctx) => findEvents(ctx, [id, other], ['name'], nested(ctx)));
  }
  await recordList({
    name: 'subscriptions of the organization',
    resource: subscriptionResource,
    list: listOrganizationSubscriptions,
    count: countOrganizationSubscriptions,
    typical: { status: 'accepted' },
    filters: [{ event_id: id }, { event_id: { $ne: id } }, { user_id: id }, { checked_in_at: { $ne: null } }],
  });
  await recordPages(
    'subscriptions of the organization with their users',
    (paging) => (ctx) => listOrganizationSubscriptions(ctx, withUsers(paging)),
  );
  await recordList({
    name: 'history of a subscription',
    resource: subscriptionChangeResource,
    list: (ctx, input) => subscriptionChanges.list(ctx, [id], input),
    count: (ctx, where, max) => subscriptionChanges.count(ctx, [id], where, max),
    find: findChanges,
    filters: [{ kind: 'check_in' }, { status_from: null }, { actor_id: { $ne: id } }],
    typical: { status_to: 'accepted' },
  });

  await recordList({
    name: 'members',
    resource: membershipResource,
    ...members,
    filters: [
      { user_id: id },
      { $not: { role: { $in: ['manager', 'owner'] } } },
      { name: 'jaz' },
      { email: 'a@b.example' },
    ],
    typical: { role: 'owner' },
  });
  await record('memberships, by ids', (ctx) => findMemberships(ctx, [id, other]), [...organizationRoles, null]);

  await recordList({
    name: 'invitations',
    resource: invitationResource,
    ...invitations,
    find: byIds(invitations),
    filters: [{ inviter_id: null }, { inviter_id: { $ne: id } }, { expires_at: { $lt: moment } }],
    typical: { role: 'manager' },
  });
  await recordList({
    name: 'API keys',
    resource: apiKeyResource,
    ...apiKeys,
    find: byIds(apiKeys),
    filters: [{ name: 'shop' }, { role: 'member', access: { $ne: 'read' } }],
    typical: { access: 'write' },
  });
  await recordList({
    name: 'webhooks',
    resource: webhookResource,
    ...webhooks,
    find: byIds(webhooks),
    filters: [{ created_at: { $lt: moment } }],
    typical: { status: 'active' },
  });
  await recordList({
    name: 'deliveries of a webhook',
    resource: webhookDeliveryResource,
    list: (ctx, input) => webhookDeliveries.list(ctx, [id], input),
    count: (ctx, where, max) => webhookDeliveries.count(ctx, [id], where, max),
    find: findWebhookDeliveries,
    filters: [{ change_id: id }, { created_at: { $lt: moment } }],
    typical: { status: 'failed' },
  });
  await recordList({
    name: 'audit entries',
    resource: auditResource,
    ...auditTrail,
    find: byIds(auditTrail),
    filters: [
      { action: { $in: ['member.left', 'member.removed'] } },
      { actor_id: null },
      { $or: [{ actor_id: { $ne: null } }, { created_at: { $lt: moment } }] },
    ],
    typical: { actor_id: id },
  });
  await recordList({
    name: 'sessions',
    resource: sessionResource,
    ...ownSessions,
    find: byIds(ownSessions),
    filters: [{ id }],
    typical: { created_at: { $gte: moment } },
  });
  await recordList({
    name: 'organizations',
    resource: organizationResource,
    ...ownOrganizations,
    find: byIds(ownOrganizations),
    filters: [{ name: 'j' }, { name: 'jaz' }, { slug: 'a' }, { signup: { $ne: 'open' } }],
    typical: { role: 'owner' },
  });
  return recorded;
}
