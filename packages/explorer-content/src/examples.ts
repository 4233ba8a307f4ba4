import type { Example } from 'graphiql-and-reference';
import { parse, print } from 'graphql';

/** An example for the demo account of a role; a guest needs none. */
interface RoleExample extends Example {
  role: 'member' | 'manager' | 'guest';
}

/** An operation below a comment, formatted as GraphQL prints it. */
function example(role: RoleExample['role'], comment: string, operation: string, variables?: object): RoleExample {
  const query = `${comment.replaceAll(/^/gm, '# ')}\n${print(parse(operation))}\n`;
  return { role, query, ...(variables && { variables: `${JSON.stringify(variables, null, 2)}\n` }) };
}

/** The tabs shown at the first visit. */
export const examples: readonly RoleExample[] = [
  example(
    'member',
    `Who am I, and where do I belong?
Sign in above first, for example with a demo account.`,
    'query WhoAmI { viewer { name email memberships { role organization { databaseId name } } } }',
  ),
  example(
    'member',
    `For everyone who is signed in: which events come next?
For the next page, put the endCursor of the answer into "after".`,
    `query Upcoming($after: String) {
      events(where: { phase: { eq: UPCOMING } }, first: 10, after: $after) {
        totalCount
        nodes { name dateStart location acceptedCount capacity viewerSubscription { status } }
        pageInfo { hasNextPage endCursor }
      }
    }`,
    { after: null },
  ),
  example(
    'member',
    `Follows what changes in the organization, live: change something in another tab, and look here.
The first answer says that you are up to date. To go on later without missing anything, give the last cursor as "after"
instead of "since".`,
    `subscription Follow($since: ChangeSince, $after: String) {
      changes(since: $since, after: $after) {
        cursor
        change {
          kind op occurredAt actor { name }
          object { ... on Event { name acceptedCount } ... on EventSubscription { status } }
        }
      }
    }`,
    { since: 'NOW' },
  ),
  example(
    'member',
    `Gives you a place if one is free, otherwise puts you on the waiting list.
Managers can subscribe another member with userId.
The page finds an event (see Variables); you can also enter an id.`,
    `mutation Subscribe($event: ID!) {
      subscribeToEvent(input: { eventId: $event }) {
        eventSubscription { id status waitingSince }
        event { name acceptedCount capacity }
      }
    }`,
    { event: '<the next event to subscribe to>' },
  ),
  example(
    'member',
    'Cancels your subscription. If others are waiting, the first of them gets the place.',
    `mutation Cancel($subscription: ID!) {
      updateEventSubscription(input: { id: $subscription, status: CANCELLED }) {
        eventSubscription { status }
        event { name acceptedCount }
      }
    }`,
    { subscription: '<your newest subscription>' },
  ),
  example(
    'manager',
    'For managers and owners: a draft, which members do not see yet.',
    `mutation CreateEvent {
      createEvent(input: {
        name: "Bread Baking for Beginners", dateStart: "2031-05-03T10:00:00+02:00", dateEnd: "2031-05-03T14:00:00+02:00"
        timezone: "Europe/Berlin", capacity: 12
      }) { event { id slug status version } }
    }`,
  ),
  example(
    'manager',
    `For managers and owners: the questions to subscribers.
Each change makes a new version; answers stay with the version that they were given for.`,
    `mutation SetForm($event: ID!) {
      setEventForm(input: { eventId: $event, questions: [
        { key: "diet", type: CHOICE, label: "What do you eat?",
          options: [{ value: "all", label: "Everything" }, { value: "vegan", label: "Vegan" }] }
        { key: "allergies", type: TEXT, label: "What must not be in it?" }
      ] }) { event { name } form { version questions { key label options { label } } } }
    }`,
    { event: '<the newest draft>' },
  ),
  example(
    'manager',
    `For managers and owners: the draft becomes active, and everyone can see it.
With "ifVersion", the change would be refused if somebody else had changed the event in the meantime.`,
    `mutation Publish($event: ID!) {
      updateEvent(input: { id: $event, status: ACTIVE, visibility: PUBLIC }) { event { name status version } }
    }`,
    { event: '<the newest draft>' },
  ),
  example(
    'manager',
    'Who is coming? Managers see everyone, members see themselves.',
    `query Guests {
      events(where: { status: { eq: ACTIVE } }, orderBy: { direction: DESC }, first: 5) {
        nodes {
          name acceptedCount capacity
          subscriptions(where: { status: { eq: ACCEPTED } }, first: 10) {
            totalCount nodes { createdAt attendeeName user { email } }
          }
        }
      }
    }`,
  ),
  example(
    'manager',
    'For managers and owners: decides about a subscription that waits for approval.',
    `mutation Decide($subscription: ID!) {
      updateEventSubscription(input: { id: $subscription, status: ACCEPTED, notify: false }) {
        eventSubscription { status attendeeName }
        event { name acceptedCount }
      }
    }`,
    { subscription: '<a pending subscription>' },
  ),
  example(
    'guest',
    'For everyone, without a token: which events are coming up, and can I still subscribe?',
    `query PublicEvents($from: DateTime!) {
      publicEvents(where: { dateStart: { gte: $from }, status: { eq: ACTIVE } }, first: 10) {
        totalCount nodes { name slug dateStart availability }
      }
    }`,
    { from: '<now>' },
  ),
  example(
    'guest',
    `For everyone, without a token: one event with its form.
Guests subscribe with POST /public/events/{event}/subscriptions, which sends a mail; there is no mutation for it.`,
    `query PublicEvent($event: ID!) {
      publicEvent(id: $event) {
        name description dateStart timezone location availability
        form { version questions { key label options { label } } }
      }
    }`,
    { event: '<an upcoming public event, if possible with questions>' },
  ),
];
