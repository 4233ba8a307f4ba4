import { camelCase } from '../../src/schema/relay/dialect.ts';
import { graphql as askGraphql, type Caller, type Page, send } from './send.ts';
import { enumMember, enums } from './write-faces.ts';

/** Who asks, and which service: signed in, in an organization. */
export interface Asker extends Required<Caller> {
  url: string;
}

export type Where = Record<string, unknown>;

/** One page as either face gives it, in the words that both share. */
export interface FacePage {
  ids: string[];
  hasNext: boolean;
  hasPrevious: boolean;
  /** REST `next`, GraphQL `endCursor`. */
  next: string | null;
  /** REST `prev`, GraphQL `startCursor`. */
  previous: string | null;
}

export interface FaceAnswer<Value> {
  /** The code of the refusal, or null. */
  code: string | null;
  value: Value;
}

/** A path with a query, in which an object becomes JSON. */
function pathWith(path: string, query: Record<string, unknown>): string {
  const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (entries.length === 0) return path;
  return `${path}?${new URLSearchParams(entries.map(([name, value]) => [name, text(value)]))}`;
}

/** A GET of the REST face; an object becomes JSON in the URL. */
export const restGet = <Body = never>(asker: Asker, path: string, query: Record<string, unknown> = {}) =>
  send<Body>(asker, asker, `GET ${pathWith(path, query)}`);

/** A capped count of the REST face, in the words of GraphQL. */
export async function restCount(asker: Asker, path: string, query: { where: Where; max: number }) {
  const { body: value, headers } = await restGet(asker, path, query);
  return { value: value as number, exact: headers.get('x-count-exact') === 'true' };
}

export async function restPage(asker: Asker, path: string, query: Record<string, unknown>) {
  const { body } = await restGet(asker, path, query);
  const { items = [], has_more: hasNext, next, prev, code = null } = body as Page<{ id: string }> & { code?: string };
  return { code, value: { ids: items.map(({ id }) => id), hasNext, hasPrevious: prev !== null, next, previous: prev } };
}

export const graphql = (asker: Asker, query: string, variables: Record<string, unknown> = {}) =>
  askGraphql(asker, asker, query, variables, { accept: 'application/json' });

/** A connection, as a GraphQL document opens it: `organization { connection: members`. */
export interface Opening {
  open: string;
  /** The type of its filter. */
  where: string;
  /** The type of its order, if it has more than one. */
  orderBy?: string;
  /** What else is selected of each item. */
  node?: string;
}

interface Connection {
  totalCount: number;
  count: { value: number; exact: boolean };
  edges: { cursor: string; node: { databaseId: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

/** A page of any connection, and how many items the whole list has: all of them, and at most so many as `max` says. */
export async function connectionPage(
  asker: Asker,
  { open, where, orderBy: type, node = '' }: Opening,
  variables: Record<string, unknown>,
): Promise<FaceAnswer<FacePage & Pick<Partial<Connection>, 'count'> & { total: number }>> {
  const braces = '}'.repeat(open.split('{').length);
  const [ordering, orderBy] = type ? [`, $orderBy: ${type}`, ', orderBy: $orderBy'] : ['', ''];
  const document = `query ($where: ${where}, $from: DateTime, $first: Int, $after: String, $last: Int, $before: String, $max: Int${ordering}) {
    ${open}(where: $where, from: $from, first: $first, after: $after, last: $last, before: $before${orderBy}) {
      totalCount count(max: $max) { value exact } edges { cursor node { databaseId ${node} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    } ${braces}`;
  const { data, errors } = await graphql(asker, document, variables);
  const found = (Object.values(data ?? {})[0] ?? {}) as Partial<Connection> & { connection?: Connection };
  const { edges = [], pageInfo, totalCount = 0, count } = found.connection ?? found;
  return {
    code: errors?.[0]?.extensions.code ?? null,
    value: {
      ids: edges.map(({ node }) => node.databaseId),
      hasNext: pageInfo?.hasNextPage ?? false,
      hasPrevious: pageInfo?.hasPreviousPage ?? false,
      next: pageInfo?.endCursor ?? null,
      previous: pageInfo?.startCursor ?? null,
      total: totalCount,
      count,
    },
  };
}

/** A page of events. */
export const graphqlPage = (asker: Asker, variables: Record<string, unknown>) =>
  connectionPage(asker, { open: 'events', where: 'EventWhere', orderBy: 'EventOrder' }, variables);

/**
 * Writes a REST filter as GraphQL writes it; the same meaning.
 *
 * @param members the fields whose values are members of enums there
 */
export function toGraphqlWhere(where: Where, members: readonly string[] = enums): Where {
  return Object.fromEntries(
    Object.entries(where).map(([key, value]) => {
      if (key === '$and' || key === '$or')
        return [key.slice(1), (value as Where[]).map((each) => toGraphqlWhere(each, members))];
      if (key === '$not') return ['not', toGraphqlWhere(value as Where, members)];
      if (key === 'name' || key === 'attendee_name') return [camelCase(key), { contains: value }];
      const operators = typeof value === 'object' && value !== null ? (value as Where) : { $eq: value };
      const member = (each: unknown): unknown => {
        if (Array.isArray(each)) return each.map(member);
        return members.includes(key) ? enumMember(each) : each;
      };
      return [
        camelCase(key),
        Object.fromEntries(Object.entries(operators).map(([name, each]) => [name.slice(1), member(each)])),
      ];
    }),
  );
}
