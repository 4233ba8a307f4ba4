import { parse, print } from 'graphql';
import { credentials } from './story.ts';

/** A request of the examples in GraphQL. In its document `<name>` is what a step before it kept. */
interface GraphqlStep {
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

const byOwner = (document: string) => ({ as: 'owner', document: printed(document) }) as const;
const byMember = (document: string) => ({ as: 'member', document: printed(document) }) as const;
const byGuest = (document: string) => ({ as: 'guest', document: printed(document) }) as const;
const bread = 'first: 1, where: { name: { contains: "bread" }, dateStart: { gte: "2031-01-01T00:00:00Z" } }';

/** For the pages of the reference, next to the examples of REST. */
export const graphqlStory: Record<string, GraphqlStep> = {
  createEvent: {
    ...byOwner(`mutation { createEvent(input: {
    name: "Bread Baking for Beginners"
    dateStart: "2031-05-03T10:00:00+02:00", dateEnd: "2031-05-03T14:00:00+02:00", timezone: "Europe/Berlin", capacity: 12
  }) { event { databaseId name slug status version } } }`),
    keep: { event: 'createEvent.event.databaseId' },
  },
  failure: byOwner(`mutation {
    createEvent(input: { name: "", dateStart: "2031-05-03T10:00:00Z", dateEnd: "2031-05-03T14:00:00Z" }) { event { name } }
  }`),
  updateEvent:
    byOwner(`mutation { updateEvent(input: { id: "<event>", ifVersion: 1, status: ACTIVE, visibility: PUBLIC }) {
    event { status visibility version }
  } }`),
  setEventForm: byOwner(`mutation { setEventForm(input: {
    eventId: "<event>", questions: [{ key: "allergies", type: TEXT, label: "What can you not eat?" }]
  }) { form { version questions { key type label required } } } }`),
  event: byMember('{ event(id: "<event>") { databaseId name dateStart status version } }'),
  events: byMember(
    `{ events(${bread}) { totalCount nodes { databaseId name dateStart } pageInfo { hasNextPage endCursor } } }`,
  ),
  subscribeToEvent:
    byMember(`mutation { subscribeToEvent(input: { eventId: "<event>", answers: { allergies: "Nuts" }, formVersion: 1 }) {
    eventSubscription { databaseId status answers } event { acceptedCount }
  } }`),
  nested: byOwner('{ event(id: "<event>") { name subscriptions(first: 2) { nodes { status user { name } } } } }'),
  viewer: byMember('{ viewer { databaseId name email memberships { role organization { name } } } }'),
  organization: byMember('{ organization { databaseId name slug signup version } }'),
  inviteMember: byOwner(`mutation { inviteMember(input: { email: "paul@demo.example", role: MEMBER }) {
    invitation { databaseId email role expiresAt }
  } }`),
  createApiKey: byOwner(`mutation { createApiKey(input: { name: "Ticket shop", role: MANAGER, access: WRITE }) {
    apiKey { databaseId name role prefix } secret
  } }`),
  createWebhook: byOwner(`mutation { createWebhook(input: { url: "https://example.org/hooks", kinds: [FORM] }) {
    webhook { databaseId url kinds status } secret
  } }`),
  changes: byOwner(`{ changes(since: START, kinds: [FORM], first: 1) {
    nodes { kind op objectGlobalId form { version } occurredAt } pageInfo { hasNextPage endCursor }
  } }`),
  auditEntries: byOwner(`{ organization { auditEntries(first: 1, where: { action: { eq: EVENT_CREATED } }) {
    nodes { action subjectDatabaseId createdAt subject { ... on Event { name } } actor { name } }
  } } }`),
  publicEvents: byGuest(`{ publicEvents(${bread}) { nodes { databaseId name availability } } }`),
  publicOrganization: byGuest(
    '{ publicOrganization(slug: "demo") { name url events(first: 1) { nodes { name dateStart } } } }',
  ),
  eraseViewer: byMember(`mutation { eraseViewer(input: { password: "${credentials.member.password}" }) { erased } }`),
};
