import type { BenchData } from './database.ts';

export const peers = ['limit', 'gateway', 'naive', 'postgraphile'] as const;
export type Peer = (typeof peers)[number];

/** One request as the load generator sends it. */
export interface Ask {
  path: string;
  /** A GraphQL operation; without one the request is a GET. */
  query?: string;
}

export interface Question {
  name: string;
  title: string;
  asks: Partial<Record<Peer, Ask>>;
}

const eventFields = 'id name slug status dateStart dateEnd capacity acceptedCount';

/** The same questions put to each peer in its own language. `deep` is the gateway's own cursor of the deep page. */
export function questions(data: BenchData, deep: string): Question[] {
  const { organization, event } = data;
  const rest = (path: string, query: Record<string, string>): Ask => ({
    path: `${path}?${new URLSearchParams(query)}`,
  });
  const graphql = (query: string): Ask => ({ path: '/graphql', query });
  const condition = `condition: {organizationId: "${organization}"}`;
  const start = 'orderBy: [DATE_START_ASC, PRIMARY_KEY_ASC]';
  const { from, to } = data.range;
  return [
    {
      name: 'Q1',
      title: 'first page of 20, REST',
      asks: { limit: { path: '/q1' }, gateway: rest('/events', { limit: '20' }), naive: { path: '/q1' } },
    },
    {
      name: 'Q2',
      title: 'page 5,000, REST',
      asks: { limit: { path: '/q2' }, gateway: rest('/events', { limit: '20', token: deep }), naive: { path: '/q2' } },
    },
    {
      name: 'Q3',
      title: '50 subscriptions with user, REST',
      asks: {
        limit: { path: '/q3' },
        gateway: rest(`/events/${event}/subscriptions`, { limit: '50', include: 'user' }),
        naive: { path: '/q3' },
      },
    },
    {
      name: 'Q4',
      title: 'count with where',
      asks: {
        limit: { path: '/q4' },
        gateway: rest('/events/count', { where: JSON.stringify({ status: 1, date_start: { $gte: from, $lt: to } }) }),
        naive: { path: '/q4' },
      },
    },
    {
      name: 'Q5',
      title: 'name substring, first 20',
      asks: {
        limit: { path: '/q5' },
        gateway: rest('/events', { where: '{"name":"workshop"}', limit: '20' }),
        naive: { path: '/q5' },
      },
    },
    {
      name: 'G1',
      title: 'Q1 as a GraphQL connection',
      asks: {
        limit: { path: '/q1' },
        gateway: graphql(
          `{ events(first: 20) { edges { cursor node { ${eventFields} } } pageInfo { hasNextPage endCursor } } }`,
        ),
        naive: graphql(`{ events(first: 20) { ${eventFields} } }`),
        postgraphile: graphql(
          `{ allEvents(first: 20, ${start}, ${condition}) { edges { cursor node { ${eventFields} } } pageInfo { hasNextPage endCursor } } }`,
        ),
      },
    },
    {
      name: 'G3',
      title: 'Q3 as GraphQL',
      asks: {
        limit: { path: '/q3' },
        gateway: graphql(
          `{ event(id: "${event}") { subscriptions(first: 50) { nodes { id status createdAt user { id name } } } } }`,
        ),
        naive: graphql(
          `{ event(id: "${event}") { subscriptions(first: 50) { id status createdAt user { id name } } } }`,
        ),
        postgraphile: graphql(
          `{ eventByRowId(rowId: "${event}") { eventSubscriptionsByEventId(first: 50, orderBy: [CREATED_AT_ASC, PRIMARY_KEY_ASC]) { nodes { id status createdAt userByUserId { id name } } } } }`,
        ),
      },
    },
    {
      name: 'Q6',
      title: '20 events × 5 subscriptions × user, GraphQL',
      asks: {
        limit: { path: '/q6' },
        gateway: graphql(
          '{ events(first: 20) { nodes { id name subscriptions(first: 5) { nodes { id status user { id name } } } } } }',
        ),
        naive: graphql('{ events(first: 20) { id name subscriptions(first: 5) { id status user { id name } } } }'),
        postgraphile: graphql(
          `{ allEvents(first: 20, ${start}, ${condition}) { nodes { id name eventSubscriptionsByEventId(first: 5, orderBy: [CREATED_AT_ASC, PRIMARY_KEY_ASC]) { nodes { id status userByUserId { id name } } } } } }`,
        ),
      },
    },
  ];
}
