import { parse, print } from 'graphql';
import { credentials } from './story.ts';

/** A request of the examples in GraphQL. In its document `<name>` is what a step before it kept. */
export interface GraphqlStep {
  name: string;
  as: 'owner' | 'member' | 'guest';
  document: string;
  /** Names for what the answer has at these paths below `data`. */
  keep?: Record<string, string>;
}

/** A document as the formatter of the pages prints it: graphql-js breaks lines of arguments sooner. */
const printed = (document: string): string =>
  print(parse(document)).replace(
    /^( *\w+)\(\n((?: +.*[^{[\n]\n)+) *\) \{$/gm,
    (broken, field: string, lines: string) => {
      const joined = `${field}(${lines.trim().split(/\n */).join(', ')}) {`;
      return joined.replace('<event>', 'x'.repeat(36)).length <= 120 ? joined : broken;
    },
  );

const step = (name: string, as: GraphqlStep['as'], document: string, keep = {}): GraphqlStep => ({
  ...{ name, as, keep, document: printed(document) },
});
const bread = 'first: 1, where: { name: { contains: "bread" }, dateStart: { gte: "2031-01-01T00:00:00Z" } }';

/** For the pages of the reference, next to the examples of REST. */
export const graphqlStory: readonly GraphqlStep[] = [
  step(
    'createEvent',
    'owner',
    `mutation { createEvent(input: {
      name: "Bread Baking for Beginners"
      dateStart: "2031-05-03T10:00:00+02:00", dateEnd: "2031-05-03T14:00:00+02:00", timezone: "Europe/Berlin", capacity: 12
    }) { event { databaseId name slug status version } } }`,
    { event: 'createEvent.event.databaseId' },
  ),
  step(
    'failure',
    'owner',
    `mutation {
      createEvent(input: { name: "", dateStart: "2031-05-03T10:00:00Z", dateEnd: "2031-05-03T14:00:00Z" }) { event { name } }
    }`,
  ),
  step(
    'updateEvent',
    'owner',
    `mutation { updateEvent(input: { id: "<event>", ifVersion: 1, status: ACTIVE, visibility: PUBLIC }) {
      event { status visibility version }
    } }`,
  ),
  step(
    'setEventForm',
    'owner',
    `mutation { setEventForm(input: {
      eventId: "<event>", questions: [{ key: "allergies", type: TEXT, label: "What can you not eat?" }]
    }) { form { version questions { key type label required } } } }`,
  ),
  step('event', 'member', '{ event(id: "<event>") { databaseId name dateStart status version } }'),
  step(
    'events',
    'member',
    `{ events(${bread}) { totalCount nodes { databaseId name dateStart } pageInfo { hasNextPage endCursor } } }`,
  ),
  step(
    'subscribeToEvent',
    'member',
    `mutation { subscribeToEvent(input: { eventId: "<event>", answers: { allergies: "Nuts" }, formVersion: 1 }) {
      eventSubscription { databaseId status answers } event { acceptedCount }
    } }`,
  ),
  step(
    'nested',
    'owner',
    '{ event(id: "<event>") { name subscriptions(first: 2) { nodes { status user { name } } } } }',
  ),
  step('viewer', 'member', '{ viewer { databaseId name email memberships { role organization { name } } } }'),
  step('organization', 'member', '{ organization { databaseId name slug signup version } }'),
  step(
    'inviteMember',
    'owner',
    `mutation { inviteMember(input: { email: "paul@demo.example", role: MEMBER }) {
      invitation { databaseId email role expiresAt }
    } }`,
  ),
  step(
    'createApiKey',
    'owner',
    `mutation { createApiKey(input: { name: "Ticket shop", role: MANAGER, access: WRITE }) {
      apiKey { databaseId name role prefix } secret
    } }`,
  ),
  step(
    'createWebhook',
    'owner',
    `mutation { createWebhook(input: { url: "https://example.org/hooks", kinds: [FORM] }) {
      webhook { databaseId url kinds status } secret
    } }`,
  ),
  step(
    'changes',
    'owner',
    `{ changes(since: START, kinds: [FORM], first: 1) {
      nodes { kind op objectGlobalId form { version } occurredAt } pageInfo { hasNextPage endCursor }
    } }`,
  ),
  step(
    'auditEntries',
    'owner',
    `{ organization { auditEntries(first: 1, where: { action: { eq: EVENT_CREATED } }) {
      nodes { action subjectDatabaseId createdAt subject { ... on Event { name } } actor { name } }
    } } }`,
  ),
  step('publicEvents', 'guest', `{ publicEvents(${bread}) { nodes { databaseId name availability } } }`),
  step(
    'publicOrganization',
    'guest',
    '{ publicOrganization(slug: "demo") { name url events(first: 1) { nodes { name dateStart } } } }',
  ),
  step(
    'eraseViewer',
    'member',
    `mutation { eraseViewer(input: { password: "${credentials.member.password}" }) { erased } }`,
  ),
];
