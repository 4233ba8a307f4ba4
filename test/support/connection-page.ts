import { type Asker, type FaceAnswer, type FacePage, graphql } from './faces.ts';

/** A connection, as a GraphQL document opens it: `organization { connection: members`. */
export interface Opening {
  open: string;
  /** The type of its filter. */
  where: string;
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
  { open, where }: Opening,
  variables: Record<string, unknown>,
): Promise<FaceAnswer<FacePage & Pick<Partial<Connection>, 'count'> & { total: number }>> {
  const braces = '}'.repeat(open.split('{').length);
  const document = `query ($where: ${where}, $from: DateTime, $first: Int, $after: String, $last: Int, $before: String, $max: Int) {
    ${open}(where: $where, from: $from, first: $first, after: $after, last: $last, before: $before) {
      totalCount count(max: $max) { value exact } edges { cursor node { databaseId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
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
