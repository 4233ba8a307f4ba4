import type { Cursors } from './cursors.ts';
import type { BenchData } from './database.ts';

export const peers = ['limit', 'gateway', 'naive', 'postgraphile'] as const;
export type Peer = (typeof peers)[number];

/** One request as the load generator sends it. */
export interface Ask {
  path: string;
  /** A GraphQL request as clients send it; without one the request is a GET. */
  graphql?: { operationName: string; query: string; variables: Record<string, unknown> };
}

export interface Question {
  name: string;
  title: string;
  /** What the title cannot say, since it depends on the data. */
  detail?: string;
  /** A text that the right answer of every peer holds. */
  expects?: string;
  asks: Partial<Record<Peer, Ask>>;
}

export const rest = (path: string, query: Record<string, string> = {}): Ask => ({
  path: Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
});

const eventFields = 'id name slug status dateStart dateEnd capacity acceptedCount';

/** An operation is a name, what it declares, and its selection: as every client's tooling writes it. */
function graphql(head: string, selection: string, variables: Record<string, unknown>): Ask {
  const operationName = head.split('(')[0] as string;
  return { path: '/graphql', graphql: { operationName, query: `query ${head} { ${selection} }`, variables } };
}

/** The same questions put to each peer in its own language. */
export function questions(data: BenchData, cursors: Cursors): Question[] {
  return [...restQuestions(data, cursors), ...flatQuestions(data), ...nestedQuestions(data, cursors)];
}

function restQuestions({ hot, deep, range }: BenchData, { gateway }: Cursors): Question[] {
  const where = JSON.stringify({ status: 1, date_start: { $gte: range.from, $lt: range.to } });
  return [
    {
      name: 'Q1',
      title: 'first page of 20, REST',
      asks: { limit: rest('/q1'), gateway: rest('/events', { limit: '20' }), naive: rest('/q1') },
    },
    {
      name: 'Q2',
      title: 'a page deep in the list, REST',
      detail: `page ${deep.page.toLocaleString('en')}`,
      expects: deep.name,
      asks: {
        limit: rest('/q2'),
        gateway: rest('/events', { limit: '20', token: gateway.deep }),
        naive: rest('/q2'),
      },
    },
    {
      name: 'Q3',
      title: '50 subscriptions with user, REST',
      asks: {
        limit: rest('/q3'),
        gateway: rest(`/events/${hot.id}/subscriptions`, { limit: '50', include: 'user' }),
        naive: rest('/q3'),
      },
    },
    {
      name: 'Q4',
      title: 'count with where',
      asks: { limit: rest('/q4'), gateway: rest('/events/count', { where }), naive: rest('/q4') },
    },
    {
      name: 'Q5',
      title: 'name substring, first 20',
      asks: {
        limit: rest('/q5'),
        gateway: rest('/events', { where: '{"name":"workshop"}', limit: '20' }),
        naive: rest('/q5'),
      },
    },
  ];
}

const order = 'orderBy: [DATE_START_ASC, PRIMARY_KEY_ASC], condition: {organizationId: $organization}';
const oldestFirst = 'orderBy: [CREATED_AT_ASC, PRIMARY_KEY_ASC]';

function flatQuestions({ organization, hot }: BenchData): Question[] {
  const connection = `edges { cursor node { ${eventFields} } } pageInfo { hasNextPage endCursor }`;
  const person = 'id status createdAt user { id name }';
  return [
    {
      name: 'G1',
      title: 'Q1 as a GraphQL connection',
      asks: {
        limit: rest('/q1'),
        gateway: graphql('Events($first: Int!)', `events(first: $first) { ${connection} }`, { first: 20 }),
        naive: graphql('Events($first: Int!)', `events(first: $first) { ${eventFields} }`, { first: 20 }),
        postgraphile: graphql(
          'Events($first: Int!, $organization: UUID!)',
          `allEvents(first: $first, ${order}) { ${connection} }`,
          { first: 20, organization },
        ),
      },
    },
    {
      name: 'G3',
      title: 'Q3 as GraphQL',
      asks: {
        limit: rest('/q3'),
        gateway: graphql(
          'Subscribers($event: ID!, $first: Int!)',
          `event(id: $event) { subscriptions(first: $first) { nodes { ${person} } } }`,
          { event: hot.id, first: 50 },
        ),
        naive: graphql(
          'Subscribers($event: String!, $first: Int!)',
          `event(id: $event) { subscriptions(first: $first) { ${person} } }`,
          { event: hot.id, first: 50 },
        ),
        postgraphile: graphql(
          'Subscribers($event: UUID!, $first: Int!)',
          `eventByRowId(rowId: $event) { eventSubscriptionsByEventId(first: $first, ${oldestFirst}) { nodes { id status createdAt userByUserId { id name } } } }`,
          { event: hot.id, first: 50 },
        ),
      },
    },
  ];
}

function nestedQuestions({ organization, hot }: BenchData, cursors: Cursors): Question[] {
  const person = 'id status user { id name }';
  const sizes = { first: 20, subscriptions: 5 };
  const gateway = (after: object) =>
    graphql(
      'EventsWithSubscribers($first: Int!, $after: String, $subscriptions: Int!)',
      `events(first: $first, after: $after) { nodes { id name subscriptions(first: $subscriptions) { nodes { ${person} } } } }`,
      { ...sizes, ...after },
    );
  const naive = (from: object) =>
    graphql(
      'EventsWithSubscribers($first: Int!, $from: String, $subscriptions: Int!)',
      `events(first: $first, from: $from) { id name subscriptions(first: $subscriptions) { ${person} } }`,
      { ...sizes, ...from },
    );
  const postgraphile = (after: object) =>
    graphql(
      'EventsWithSubscribers($first: Int!, $after: Cursor, $subscriptions: Int!, $organization: UUID!)',
      `allEvents(first: $first, after: $after, ${order}) { nodes { id name eventSubscriptionsByEventId(first: $subscriptions, ${oldestFirst}) { nodes { id status userByUserId { id name } } } } }`,
      { ...sizes, organization, ...after },
    );
  return [
    {
      name: 'Q6',
      title: '20 events × 5 subscriptions × user, GraphQL',
      asks: { limit: rest('/q6'), gateway: gateway({}), naive: naive({}), postgraphile: postgraphile({}) },
    },
    {
      name: 'H6',
      title: 'Q6 where one event is the hot one',
      detail: `${Number(hot.subscriptions.toPrecision(2)).toLocaleString('en')} subscriptions`,
      expects: hot.name,
      asks: {
        limit: rest('/h6'),
        gateway: gateway({ after: cursors.gateway.hot }),
        naive: naive({ from: hot.time }),
        postgraphile: postgraphile({ after: cursors.postgraphile.hot }),
      },
    },
  ];
}
