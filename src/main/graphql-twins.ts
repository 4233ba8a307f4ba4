import type { GraphqlTwins, Route } from '../rest/server/route.ts';
import { describeMutations, describeReads } from '../schema/server/describe.ts';

/** The GraphQL fields that run the same command, or read the same, as an operation of REST, by operation id. */
export function graphqlTwins(routes: readonly Route[]): GraphqlTwins {
  const mutations = describeMutations();
  const reads = describeReads();
  const fieldsOf = ({ runs, read, operationId }: Route): string[] => {
    if (runs) return mutations.filter((each) => each.command === runs.command).map(({ name }) => `Mutation.${name}`);
    if (!read) return [];
    // the header names it
    if (read === 'ownOrganization') return ['Query.organization'];
    const fields = reads.filter((each) => each.read === read);
    // without a field, it is read by its global id
    if (fields.length === 0) return ['Query.node'];
    const counts = operationId.startsWith('count');
    return fields.map(({ field, isConnection }) => (counts && isConnection ? `${field}.totalCount` : field));
  };
  return Object.fromEntries(routes.map((route) => [route.operationId, fieldsOf(route)] as const));
}
