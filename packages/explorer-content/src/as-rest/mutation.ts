import { type GraphQLObjectType, getNamedType, isInputObjectType } from 'graphql';
import type { RestTwins } from '../rest-twins.ts';
import { fillPath, idParam, openParameters } from './paths.ts';
import type { RestRequest } from './request.ts';
import { restValue, snakeCase } from './values.ts';

export function mutationRequest(
  { mutations, enums }: RestTwins,
  root: GraphQLObjectType,
  name: string,
  input: Record<string, unknown>,
): RestRequest | null {
  const twin = mutations[name];
  const type = getNamedType(root.getFields()[name]?.args[0]?.type);
  if (!twin || !isInputObjectType(type)) return null;
  const { method, object, nullable } = twin;
  const { ifVersion, clientMutationId: _, ...fields } = input;
  const body: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    const known = type.getFields()[key];
    const restName = snakeCase(key);
    // null counts as absent if REST does not accept it
    const absent = value === undefined || (value === null && !nullable.includes(restName));
    if (known && key !== object?.field && !absent) body[restName] = restValue(enums, known.type, value);
  }
  const path = fillPath(twin.path, object ? idParam(object.parameter, fields[object.field]) : {});
  return {
    method: method.toUpperCase(),
    path,
    query: {},
    headers: typeof ifVersion === 'number' ? { 'if-match': `"${ifVersion}"` } : {},
    ...(Object.keys(body).length === 0 ? {} : { body }),
    notes: openParameters(path),
  };
}
