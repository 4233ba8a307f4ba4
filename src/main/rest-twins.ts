import type { ZodObject, ZodType } from 'zod';
import type { Noun } from '../engine/list/resource.ts';
import type { ListTwin, MutationTwin, RestTwins } from '../explorer/rest-twins.ts';
import type { Route } from '../rest/server/route.ts';
import { nodeTypeOf } from '../schema/relay/global-id.ts';
import { describeEnums, describeMutations } from '../schema/server/describe.ts';

/** The REST equivalents of the GraphQL operations: both come from the same commands and resources. */
export function restTwins(routes: readonly Route[]): RestTwins {
  const paths = routes.filter(({ method }) => method === 'get');
  return {
    lists: Object.fromEntries(routes.flatMap((route) => listTwin(route, paths))),
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

function listTwin({ path, lists }: Route, paths: readonly Route[]): [string, ListTwin][] {
  if (!lists) return [];
  const { resource, relations } = lists;
  const item = paths.find((each) => each.path.startsWith(`${path}/{`) && each.path.lastIndexOf('/') === path.length);
  const twin = { path, item: item?.path ?? null, fields: Object.keys(resource.fields), relations };
  return [[nodeTypeOf(resource.name as Noun), twin]];
}

function mutationTwin(
  { method, path }: Route,
  { command, object: parameter }: NonNullable<Route['runs']>,
  objectField: string | null,
): MutationTwin {
  const { shape } = command.input as unknown as ZodObject;
  return {
    method,
    path,
    object: objectField !== null && parameter !== undefined ? { field: objectField, parameter } : null,
    nullable: Object.keys(shape).filter((name) => (shape[name] as ZodType).isNullable()),
  };
}
