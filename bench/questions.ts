import type { Cursors } from './cursors.ts';
import type { BenchData } from './database.ts';
import { type Client, clients, type DocumentName, documentText } from './documents/documents.ts';

export const peers = ['limit', 'gateway', 'naive', 'postgraphile', 'mercurius'] as const;
type Named = (typeof peers)[number];
/** A copy of the gateway that lacks an optimization. */
export type Without = `without ${string}`;
export type Peer = Named | Without;

/** One request as the load generator sends it. */
export interface Ask {
  path: string;
  /** A GraphQL request as clients send it; if absent, the request is a GET. */
  graphql?: { operationName: string; query: string; variables: Record<string, unknown> };
}

export interface Question {
  name: string;
  title: string;
  /** The part of the title that depends on the data. */
  detail?: string;
  /** A text that the correct response of every peer contains. */
  expects?: string;
  asks: Partial<Record<Named, Ask>>;
}

/** The request of a question for a peer, if the peer gets it. */
export function askOf({ asks }: Question, peer: Peer): Ask | undefined {
  return asks[isCopy(peer) ? 'gateway' : peer];
}

export function isCopy(peer: Peer): peer is Without {
  return peer.startsWith('without ');
}

export const rest = (path: string, query: Record<string, string> = {}): Ask => ({
  path: Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
});

const eventFields = 'id name slug status dateStart dateEnd capacity acceptedCount';

/** An operation with a name, variable declarations and a selection, as the tools of all clients write it. */
function graphql(head: string, selection: string, variables: Record<string, unknown>): Ask {
  return document(`query ${head} { ${selection} }`, variables);
}

function document(query: string, variables: Record<string, unknown>): Ask {
  const operationName = /^query (\w+)/.exec(query)?.[1] as string;
  return { path: '/graphql', graphql: { operationName, query, variables } };
}

/** The same questions for each peer, in the peer's own API. */
export function questions(data: BenchData, cursors: Cursors): Question[] {
  return [
    ...restQuestions(data, cursors),
    ...clients.flatMap((client) => [...flatQuestions(data, client), ...nestedQuestions(data, cursors, client)]),
  ];
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

/** The prefix of each client's questions. */
const writing: Record<Client, { prefix: string; words: string }> = {
  bare: { prefix: '', words: '' },
  apollo: { prefix: 'A-', words: ', as Apollo Client sends it' },
  relay: { prefix: 'R-', words: ', as Relay sends it' },
};

/** A client's document for every peer that accepts it; the naive server has another schema, and gets the hand-written one. */
function clientAsks(
  name: DocumentName,
  client: Client,
  variables: Partial<Record<Named, Record<string, unknown>>>,
  naive: Ask,
): Question['asks'] {
  const ours = documentText('gateway', name, client);
  return {
    gateway: document(ours, { ...variables.gateway }),
    ...(client === 'bare' ? { naive } : {}),
    postgraphile: document(documentText('postgraphile', name, client), { ...variables.postgraphile }),
    mercurius: document(ours, { ...variables.mercurius }),
  };
}

function flatQuestions({ organization, hot }: BenchData, client: Client): Question[] {
  const { prefix, words } = writing[client];
  const page = { first: 20 };
  const subscribers = { event: hot.id, first: 50 };
  return [
    {
      name: `${prefix}G1`,
      title: `Q1 as a GraphQL connection${words}`,
      asks: {
        limit: rest('/q1'),
        ...clientAsks(
          'Events',
          client,
          { gateway: page, postgraphile: { ...page, organization }, mercurius: page },
          graphql('Events($first: Int!)', `events(first: $first) { ${eventFields} }`, page),
        ),
      },
    },
    {
      name: `${prefix}G3`,
      title: `Q3 as GraphQL${words}`,
      asks: {
        limit: rest('/q3'),
        ...clientAsks(
          'Subscribers',
          client,
          { gateway: subscribers, postgraphile: subscribers, mercurius: subscribers },
          graphql(
            'Subscribers($event: String!, $first: Int!)',
            'event(id: $event) { subscriptions(first: $first) { id status createdAt user { id name } } }',
            subscribers,
          ),
        ),
      },
    },
  ];
}

function nestedQuestions({ organization, hot }: BenchData, cursors: Cursors, client: Client): Question[] {
  const { prefix, words } = writing[client];
  const sizes = { first: 20, subscriptions: 5 };
  const asks = (after: (peer: keyof Cursors) => object, from: object) =>
    clientAsks(
      'EventsWithSubscribers',
      client,
      {
        gateway: { ...sizes, ...after('gateway') },
        postgraphile: { ...sizes, organization, ...after('postgraphile') },
        mercurius: { ...sizes, ...after('mercurius') },
      },
      graphql(
        'EventsWithSubscribers($first: Int!, $from: String, $subscriptions: Int!)',
        'events(first: $first, from: $from) { id name subscriptions(first: $subscriptions) { id status user { id name } } }',
        { ...sizes, ...from },
      ),
    );
  return [
    {
      name: `${prefix}Q6`,
      title: `20 events × 5 subscriptions × user${words || ', GraphQL'}`,
      asks: { limit: rest('/q6'), ...asks(() => ({}), {}) },
    },
    {
      name: `${prefix}H6`,
      title: `Q6 where one event is the hot one${words}`,
      detail: `${Number(hot.subscriptions.toPrecision(2)).toLocaleString('en')} subscriptions`,
      expects: hot.name,
      asks: { limit: rest('/h6'), ...asks((peer) => ({ after: cursors[peer].hot }), { from: hot.time }) },
    },
  ];
}
