import type { Noun } from '../domain/nouns/nouns.ts';
import type { GraphqlTwins, Route } from '../rest/server/route.ts';
import { nodeTypeOf } from '../schema/relay/global-id.ts';
import { describeConnections, describeMutations } from '../schema/server/describe.ts';

/** The fields of operations that run no command and show no list; the others are found by what they share. */
const others: GraphqlTwins = {
  getProfile: ['Query.viewer'],
  getOrganization: ['Query.organization'],
  getOwnOrganization: ['Query.organization'],
  getEventForm: ['Event.form'],
  getPublicEventForm: ['PublicEvent.form'],
  getEvent: ['Query.event'],
  getPublicEvent: ['Query.publicEvent'],
  listChanges: ['Query.changes'],
  queryChanges: ['Query.changes'],
  getWaitingMails: ['Organization.mails'],
  listOrganizations: ['User.memberships'],
  queryOrganizations: ['User.memberships'],
  // a whole list, which has its length
  countOrganizations: ['User.memberships'],
};

/**
 * The GraphQL fields that do the same as an operation of REST, by operation id: a mutation and a route are twins if they
 * run the same command, a connection and a list if they have the same resource.
 */
export function graphqlTwins(routes: readonly Route[]): GraphqlTwins {
  const mutations = describeMutations();
  const connections = describeConnections();
  const fieldsOf = (route: Route): string[] => {
    if (route.runs) {
      const { command } = route.runs;
      return mutations.filter((each) => each.command === command).map(({ name }) => `Mutation.${name}`);
    }
    const list = listOf(route, routes);
    const type = list?.lists && nodeTypeOf(list.lists.resource.name as Noun);
    const isItem = list && route.path.startsWith(`${list.path}/{`);
    if (type && isItem) return ['Query.node'];
    const counts = route.operationId.startsWith('count') ? '.totalCount' : '';
    const fields = connections.filter(({ nodeType }) => nodeType === type).map(({ field }) => field);
    // of two connections of one type, that of the root is the list without a parent
    const nested = list?.path.includes('{') ?? false;
    const fitting = fields.filter((field) => field.startsWith('Query.') !== nested);
    return (fitting.length > 0 ? fitting : fields).map((field) => field + counts);
  };
  return Object.fromEntries(
    routes.map((route) => [route.operationId, others[route.operationId] ?? fieldsOf(route)] as const),
  );
}

/** The list of the items that a route serves. */
function listOf({ path, method, lists }: Route, routes: readonly Route[]): Route | undefined {
  const base = path.replace(/\/(query|count|\{\w+\})$/, '');
  if (lists || (base === path && method !== 'get'))
    return lists && routes.find((each) => each.path === path && each.lists);
  return routes.find((each) => each.lists && each.path === base);
}
