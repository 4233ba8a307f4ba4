import type { ZodType } from 'zod';
import type { ListTwin, MutationTwin, RestTwins } from '#explorer-content';
import type { Noun } from '../domain/nouns/nouns.ts';
import { inputShape } from '../engine/command.ts';
import type { GraphqlTwins, Route } from '../rest/server/route.ts';
import { nodeTypeOf } from '../schema/builder/global-id.ts';
import { describeEnums, describeMutations, describeReads } from '../schema/server/describe.ts';

/** The REST equivalents of the GraphQL operations. */
export function restTwins(routes: readonly Route[]): RestTwins {
  const paths = routes.filter(({ method }) => method === 'get');
  return {
    lists: Object.fromEntries(routes.flatMap((route) => listTwin(route, routes, paths))),
    mutations: Object.fromEntries(
      describeMutations().flatMap(({ name, command, objectField }) => {
        const route = routes.find(({ runs }) => runs?.command === command);
        return route?.runs ? [[name, mutationTwin(route, route.runs, objectField)]] : [];
      }),
    ),
    reads: Object.fromEntries(paths.map(({ operationId, path }) => [operationId, path])),
    enums: describeEnums(),
  };
}

function listTwin({ path, lists }: Route, routes: readonly Route[], paths: readonly Route[]): [string, ListTwin][] {
  if (!lists) return [];
  const { resource, relations, computed = {} } = lists;
  const item = paths.find((each) => each.path.startsWith(`${path}/{`) && each.path.lastIndexOf('/') === path.length);
  const twin = {
    path,
    item: item?.path ?? null,
    fields: [...Object.keys(resource.fields), ...Object.keys(computed)],
    relations,
  };
  const type = nodeTypeOf(resource.name as Noun);
  // of two lists of one noun, that of all rows is a field of the root
  const isOfAll = routes.some((each) => each.lists?.resource.name === resource.name && each.path.endsWith(`}${path}`));
  return [[isOfAll ? `Query.${type}` : type, twin]];
}

function mutationTwin(
  { method, path }: Route,
  { command, object: parameter }: NonNullable<Route['runs']>,
  objectField: string | null,
): MutationTwin {
  const shape = inputShape(command);
  return {
    method,
    path,
    object: objectField !== null && parameter !== undefined ? { field: objectField, parameter } : null,
    nullable: Object.keys(shape).filter((name) => (shape[name] as ZodType).isNullable()),
  };
}

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
