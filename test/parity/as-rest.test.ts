import { describe, expect, it } from 'vitest';
import { snakeCase } from '../../packages/explorer-content/src/as-rest/values.ts';
import { demoOrganizationId, demoPassword, ensureDemo } from '../../src/db/demo/demo.ts';
import { auditResource } from '../../src/domain/audit/audit.resource.ts';
import { eventResource } from '../../src/domain/event/event.resource.ts';
import { sessionResource } from '../../src/domain/session/session.resource.ts';
import { subscriptionResource } from '../../src/domain/subscription/subscription.resource.ts';
import type { ListResource } from '../../src/engine/list/resource.ts';
import { outputName } from '../../src/schema/relay/node-fields.ts';
import { asRest, sendRest, twins } from '../support/as-rest.ts';
import { query } from '../support/send.ts';
import { serve, signIn } from '../support/server.ts';

type Node = Record<string, unknown>;

const server = await serve();
await ensureDemo(server.orm);
const { accessToken } = await signIn(server.url, 'owner@demo.example', demoPassword);
const owner = { accessToken, organizationId: demoOrganizationId };
const ask = <Data = Record<string, Node>>(document: string, variables: Node = {}) =>
  query<Data>(server, owner, document, variables);
const { viewer: me } = await ask('{ viewer { databaseId } }');
const viewerId = String(me?.databaseId);

// the status of an event is a number in REST, that of a webhook a word
const { EventStatus: statuses, ...words } = twins.enums;
const restNames = Object.assign({}, ...Object.values(words), statuses) as Record<string, unknown>;

/** A GraphQL object as REST shows it. */
function asShownByRest(node: Node): Node {
  const entries = Object.entries(node).map(([name, value]) => {
    const nested = value !== null && typeof value === 'object' && !Array.isArray(value);
    const shown = nested
      ? asShownByRest(value as Node)
      : typeof value === 'string'
        ? (restNames[value] ?? value)
        : value;
    return [name === 'databaseId' ? 'id' : snakeCase(name.replace(/DatabaseId$/, 'Id')), shown];
  });
  return Object.fromEntries(entries);
}

/** The first connection of an answer. */
function connectionOf(data: unknown): { nodes?: Node[]; edges?: { node: Node }[]; totalCount?: number } {
  const [inner] = Object.values(data as Node) as Node[];
  if (!inner) throw new Error('the answer is empty');
  return 'nodes' in inner || 'edges' in inner || 'totalCount' in inner ? inner : connectionOf(inner);
}

/** What the requests of an operation answer, in their order. */
async function restAnswers(document: string, variables: Record<string, unknown> = {}) {
  const answers = [];
  for (const request of asRest(document, { variables, viewerId })) {
    if ('reason' in request) throw new Error(request.reason);
    const { status, answer } = await sendRest(server.url, owner, request);
    expect([200, 201], JSON.stringify(answer)).toContain(status);
    answers.push(answer);
  }
  return answers;
}

/** All that REST shows of a noun, but for its id. */
const every = ({ fields }: ListResource) =>
  Object.entries(fields)
    .flatMap(([column, field]) => (column === 'id' ? [] : [outputName(column, field)]))
    .join(' ');

const many = Array.from({ length: 40 }, (_, index) => `{ name: { contains: "${'x'.repeat(40)}${index}" } }`).join(', ');

describe('the requests that GraphiQL shows as REST', () => {
  const rows = {
    'events by a filter':
      '{ events(where: { status: { eq: ACTIVE }, name: { contains: "club" } }, first: 7) { nodes { databaseId name status dateStart visibility } } }',
    'events of a phase':
      '{ events(where: { phase: { eq: UPCOMING } }, first: 20) { edges { node { name capacity } } } }',
    'events outside a phase': '{ events(where: { not: { phase: { eq: CONCLUDED } } }) { nodes { databaseId } } }',
    'events in progress or cancelled':
      '{ events(where: { or: [{ phase: { eq: IN_PROGRESS } }, { status: { in: [CANCELLED] } }] }) { nodes { name acceptedCount } } }',
    'events, the last first': '{ events(first: 5, orderBy: { direction: DESC }) { nodes { slug dateEnd } } }',
    'events by a filter that is too long for a URL': `{ events(where: { not: { or: [${many}] } }, first: 3) { nodes { name } } }`,
    'public events':
      '{ publicEvents(where: { status: { eq: ACTIVE } }, first: 9) { nodes { name availability status } } }',
    'members with their users':
      '{ organization { members(where: { role: { ne: MEMBER } }) { nodes { role user { databaseId name email } } } } }',
    'events with every field': `{ events(first: 9) { nodes { databaseId ${every(eventResource)} } } }`,
    'subscriptions with every field, their users and events': `{ eventSubscriptions(first: 9) { nodes {
      databaseId ${every(subscriptionResource)} user { databaseId name email avatarUrl } event { name } } } }`,
    'the audit trail': `{ organization { auditEntries(first: 2) { nodes { databaseId ${every(auditResource)} } } } }`,
    invitations: '{ organization { invitations { nodes { email role } } } }',
    sessions: `{ viewer { sessions { nodes { databaseId ${every(sessionResource)} } } } }`,
  };
  it.each(Object.entries(rows))('answer the same rows: %s', async (_title, document) => {
    const { nodes, edges } = connectionOf(await ask(document));
    const expected = (nodes ?? edges?.map(({ node }) => node) ?? []).map(asShownByRest);
    const [page] = await restAnswers(document);
    expect(page.items).toHaveLength(expected.length);
    expect(page.items).toMatchObject(expected);
  });

  it('lead to the same next and previous pages', async () => {
    const next =
      'query ($at: String) { events(first: 4, after: $at) { nodes { databaseId } pageInfo { endCursor startCursor } } }';
    const previous = 'query ($at: String) { events(last: 3, before: $at) { nodes { databaseId } } }';
    type Page = { events: { nodes: Node[]; pageInfo: { endCursor: string; startCursor: string } } };
    const first = await ask<Page>(next);
    const at = first.events.pageInfo.endCursor;
    const second = await ask<Page>(next, { at });
    expect((await restAnswers(next, { at }))[0].items).toEqual(second.events.nodes.map(asShownByRest));
    const back = { at: second.events.pageInfo.startCursor };
    const { events } = await ask<Page>(previous, back);
    expect(events.nodes).toEqual(first.events.nodes.slice(1));
    // the same items, in the opposite order
    expect((await restAnswers(previous, back))[0].items).toEqual(events.nodes.map(asShownByRest).toReversed());
  });

  it('answer the same objects, and what is nested in them', async () => {
    const { nodes: [{ id } = {}] = [] } = connectionOf(
      await ask(
        '{ events(where: { name: { contains: "Mentoring Circle" } }, orderBy: { direction: DESC }) { nodes { id } } }',
      ),
    );
    const document =
      'query ($id: ID!) { event(id: $id) { name status subscriptions(first: 4, where: { status: { ne: CANCELLED } }) { totalCount nodes { status createdAt user { name email } } } form { version questions { key type label } } viewerSubscription { status } } }';
    type Shown = Node & { subscriptions: { nodes: Node[]; totalCount: number } };
    const { subscriptions, form, viewerSubscription, ...own } = (await ask<{ event: Shown }>(document, { id })).event;
    const [object, page, count, questions, newest] = await restAnswers(document, { id });
    expect(object).toEqual(asShownByRest(own));
    expect(subscriptions.nodes).toHaveLength(4);
    expect(page.items).toMatchObject(subscriptions.nodes.map(asShownByRest));
    expect(count).toBe(subscriptions.totalCount);
    const asked = form as unknown as { version: number; questions: (Node & { type: string })[] };
    const words = asked.questions.map((each) => ({ ...each, type: each.type.toLowerCase() }));
    expect(questions).toMatchObject({ version: asked.version, questions: words });
    expect(newest.items).toEqual([viewerSubscription].filter((each) => each !== null));
  });

  it('answer who one is, and where', async () => {
    const document = '{ viewer { name email memberships { role } } organization { name signup } }';
    type Shown = { viewer: Node & { memberships: Node[] }; organization: Node };
    const { viewer, organization } = await ask<Shown>(document);
    const [profile, own] = await restAnswers(document);
    expect(profile).toMatchObject({ name: viewer.name, email: viewer.email });
    expect(profile.organizations).toMatchObject(viewer.memberships.map(asShownByRest));
    expect(own).toEqual(asShownByRest(organization));
  });

  it('write the same: an event is created, asked questions, published, subscribed to and copied', async () => {
    const created = `mutation { createEvent(input: { name: "As REST", dateStart: "2031-05-03T10:00:00+02:00", dateEnd: "2031-05-03T14:00:00+02:00", timezone: "Europe/Berlin", capacity: 3, registration: APPROVAL, description: null }) { event { name status dateStart timezone capacity registration description version } } }`;
    const { createEvent } = await ask<{ createEvent: { event: Node } }>(created);
    const [event] = await restAnswers(created);
    expect(event).toMatchObject(asShownByRest(createEvent.event));
    const { id } = event;
    const [form] = await restAnswers(
      'mutation ($id: ID!) { setEventForm(input: { eventId: $id, questions: [{ key: "diet", type: TEXT, label: "What do you eat?", help: null, max: "80" }, { key: "meal", type: CHOICE, label: "Meal", options: [{ value: "7", label: "8" }] }] }) { form { version } } }',
      { id },
    );
    expect(form).toMatchObject({
      version: 1,
      questions: [
        { key: 'diet', type: 'text', label: 'What do you eat?', max: 80 },
        { key: 'meal', type: 'choice', label: 'Meal', options: [{ value: '7', label: '8' }] },
      ],
    });
    const publish =
      'mutation ($id: ID!) { updateEvent(input: { id: $id, status: ACTIVE, visibility: PUBLIC, ifVersion: 1 }) { event { status } } }';
    expect((await restAnswers(publish, { id }))[0]).toMatchObject({ status: 1, visibility: 'public', version: 2 });
    const [again] = asRest(publish, { variables: { id } });
    if (!again || 'reason' in again) throw new Error('there is no request');
    expect(await sendRest(server.url, owner, again)).toMatchObject({ status: 412 });
    const subscribe =
      'mutation ($id: ID!, $answers: JSON) { subscribeToEvent(input: { eventId: $id, answers: $answers }) { event { name } } }';
    const [subscription] = await restAnswers(subscribe, { id, answers: { diet: 'all' } });
    expect(subscription).toMatchObject({ status: 'pending', answers: { diet: 'all' }, event_id: id });
    const [copy] = await restAnswers(
      'mutation ($id: ID!) { duplicateEvent(input: { id: $id, name: "A Copy" }) { event { name } } }',
      { id },
    );
    expect(copy).toMatchObject({ name: 'A Copy', status: 0, capacity: 3 });
    const deletion = 'mutation ($id: ID!) { deleteEvent(input: { id: $id, ifVersion: 1 }) { deletedEventId } }';
    expect(await restAnswers(deletion, { id: copy.id })).toEqual([true]);
  });
});
