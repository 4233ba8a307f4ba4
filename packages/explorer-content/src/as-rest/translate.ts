import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  isObjectType,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import type { ListTwin, RestTwins } from '../rest-twins.ts';
import { mutationRequest } from './mutation.ts';
import { pageQuery } from './paging.ts';
import { fillPath, idParam, openParameters, type Params } from './paths.ts';
import { isConnection, projectFields, singles, viewerSubscription } from './projection.ts';
import { listRequest, type NoTwin, type RestRequest, readRequest } from './request.ts';
import { type FieldsOf, fieldsIn } from './selection.ts';
import { globalIdIn, restWhere } from './values.ts';

export interface Translation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName?: string | null | undefined;
  variables: Record<string, unknown>;
  twins: RestTwins;
  /** Null if nobody is signed in. */
  viewerId: string | null;
  /** Phases are compared with this time. */
  now: Date;
}

type Requests = (RestRequest | NoTwin)[];

export function restRequests(translation: Translation): Requests {
  return new Translator(translation).run();
}

class Translator {
  readonly #given: Translation;
  readonly #fieldsOf: FieldsOf;
  #variables: Record<string, unknown> = {};

  constructor(given: Translation) {
    this.#given = given;
    this.#fieldsOf = fieldsIn(given.schema, given.document);
  }

  run(): Requests {
    const { schema, document, operationName, twins, variables } = this.#given;
    const operation = getOperationAST(document, operationName);
    const root = operation && schema.getRootType(operation.operation);
    if (!operation || !root) return [];
    this.#variables = { ...defaultsOf(operation), ...variables };
    return this.#fieldsOf(root, operation.selectionSet).flatMap((field) => {
      if (field.name.value === 'changes' && operation.operation !== 'mutation') {
        const request = changesRequest(this.#arguments(field), operation.operation);
        if (!request.streams && this.#readsObjects(root, field)) request.query.include = 'object';
        return [request];
      }
      if (operation.operation !== 'mutation') return this.#read(root, field, {});
      const input = (this.#arguments(field).input ?? {}) as Record<string, unknown>;
      return mutationRequest(twins, root, field.name.value, input) ?? noTwin(root, field);
    });
  }

  /** Whether changes are read with their objects. */
  #readsObjects(root: GraphQLObjectType, field: FieldNode): boolean {
    const connection = getNamedType(root.getFields().changes?.type) as GraphQLObjectType;
    const type = getNamedType(connection.getFields().nodes?.type) as GraphQLObjectType;
    return this.#fieldsOf(connection, field.selectionSet)
      .flatMap((each) => this.#itemFields(connection, type, each))
      .some(({ name }) => ['object', 'event', 'subscription', 'form'].includes(name.value));
  }

  #read(parent: GraphQLObjectType, field: FieldNode, params: Params): Requests {
    const name = field.name.value;
    const type = getNamedType(parent.getFields()[name]?.type);
    if (name === '__typename') return [];
    if (name.startsWith('__')) return [readRequest('/openapi.json', {}, ['REST describes itself in one document.'])];
    if (isConnection(type)) return this.#list(parent, field, type, params);
    if (parent.name === 'Query' && name === 'node') return this.#node(field);
    return isObjectType(type) ? this.#single(parent, field, type, params) : noTwin(parent, field);
  }

  #list(parent: GraphQLObjectType, field: FieldNode, connection: GraphQLObjectType, params: Params): Requests {
    const type = getNamedType(connection.getFields().nodes?.type);
    const { lists } = this.#given.twins;
    // the organization has the lists of the root
    const place = parent.name === 'Organization' ? 'Query' : parent.name;
    const twin = type && (lists[`${place}.${type.name}`] ?? lists[type.name]);
    if (!isObjectType(type) || !twin) return noTwin(parent, field);
    const args = this.#arguments(field);
    const where = this.#where(parent, field, args.where);
    const path = fillPath(twin.path, params);
    const selected = this.#fieldsOf(connection, field.selectionSet);
    const counts = selected
      .filter(({ name }) => name.value === 'totalCount' || name.value === 'count')
      .map((each) => {
        const { max } = this.#arguments(each);
        return readRequest(`${path}/count`, { ...where, ...(max ? { max: String(max) } : {}) }, openParameters(path));
      });
    if (!selected.some(({ name }) => ['nodes', 'edges', 'pageInfo'].includes(name.value))) return counts;
    const page = pageQuery(args);
    if ('reason' in page) return [page, ...counts];
    const fields = selected.flatMap((each) => this.#itemFields(connection, type, each));
    const { query, notes, nested } = projectFields(this.#fieldsOf, type, twin, fields);
    const asked = { ...where, ...page.query, ...query };
    return [
      listRequest(path, asked, [...page.notes, ...notes, ...openParameters(path)]),
      ...counts,
      ...nested.flatMap((each) => this.#read(type, each, params)),
    ];
  }

  #itemFields(connection: GraphQLObjectType, type: GraphQLObjectType, field: FieldNode): FieldNode[] {
    if (field.name.value === 'nodes') return this.#fieldsOf(type, field.selectionSet);
    const edge = getNamedType(connection.getFields().edges?.type);
    if (field.name.value !== 'edges' || !isObjectType(edge)) return [];
    return this.#fieldsOf(edge, field.selectionSet).flatMap((each) =>
      each.name.value === 'node' ? this.#fieldsOf(type, each.selectionSet) : [],
    );
  }

  #single(parent: GraphQLObjectType, field: FieldNode, type: GraphQLObjectType, params: Params): Requests {
    const name = `${parent.name}.${field.name.value}`;
    const { lists, reads } = this.#given.twins;
    const args = this.#arguments(field);
    const fields = this.#fieldsOf(type, field.selectionSet);
    if (itemFields.includes(name)) return this.#item(type, fields, args.id ?? args.slug);
    const twin = type.name === 'User' ? profile : lists[type.name];
    if (name === viewerSubscription && twin) {
      const where = JSON.stringify({ user_id: this.#given.viewerId ?? '{you}' });
      return this.#object(type, twin, fields, { path: twin.path, params, query: { where, sort: '-1', limit: '1' } });
    }
    const path = reads[singles[name] ?? ''];
    if (!path) return noTwin(parent, field);
    if (twin) return this.#object(type, twin, fields, { path, params, query: {} });
    const { version, slug } = args;
    const filled = fillPath(path, { ...params, ...(typeof slug === 'string' && { slug }) });
    const own = readRequest(filled, version ? { version: String(version) } : {}, openParameters(filled));
    const nested = fields.filter((each) => isConnection(getNamedType(type.getFields()[each.name.value]?.type)));
    return [own, ...nested.flatMap((each) => this.#read(type, each, params))];
  }

  #item(type: GraphQLObjectType, fields: FieldNode[], id: unknown): Requests {
    const twin = this.#given.twins.lists[type.name];
    const parameter = /\{(\w+)\}$/.exec(twin?.item ?? '')?.[1];
    if (!twin?.item || !parameter) return [{ reason: `REST has no operation for one ${type.name} by its id.` }];
    return this.#object(type, twin, fields, { path: twin.item, params: idParam(parameter, id), query: {} });
  }

  #node(field: FieldNode): Requests {
    const { id } = this.#arguments(field);
    const type = this.#given.schema.getType(globalIdIn(id)?.type ?? '');
    if (!isObjectType(type)) return [{ reason: 'This is not a global id, so the type of the object is unknown.' }];
    return this.#item(type, this.#fieldsOf(type, field.selectionSet), id);
  }

  /** The request for an object, unless only nested fields are selected, and the requests for those. */
  #object(
    type: GraphQLObjectType,
    twin: ListTwin,
    fields: FieldNode[],
    { path, params, query }: { path: string; params: Params; query: Record<string, string> },
  ): Requests {
    const projection = projectFields(this.#fieldsOf, type, twin, fields);
    const filled = fillPath(path, params);
    const asked = twin === profile ? query : { ...query, ...projection.query };
    const own = readRequest(filled, asked, [...projection.notes, ...openParameters(filled)]);
    const nested = projection.nested.flatMap((each) => this.#read(type, each, params));
    return projection.own ? [own, ...nested] : nested;
  }

  #where(parent: GraphQLObjectType, field: FieldNode, value: unknown): Record<string, string> {
    const { args } = parent.getFields()[field.name.value] ?? { args: [] };
    const type = getNamedType(args.find(({ name }) => name === 'where')?.type);
    if (value === null || value === undefined || !isInputObjectType(type)) return {};
    const { twins, now } = this.#given;
    const where = restWhere(twins.enums, type, value as Record<string, unknown>, now);
    return Object.keys(where).length > 0 ? { where: JSON.stringify(where) } : {};
  }

  #arguments(field: FieldNode): Record<string, unknown> {
    const entries = (field.arguments ?? []).map(({ name, value }) => [
      name.value,
      valueFromASTUntyped(value, this.#variables),
    ]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }
}

/** REST reads one by its id or its slug. */
const itemFields = ['Query.event', 'Query.eventBySlug', 'Query.publicEvent', 'Query.publicEventBySlug'];

/** `GET /auth/me` does not accept `fields`; its organizations are the memberships. */
const profile: ListTwin = { path: '', item: null, fields: ['id', 'email', 'name', 'memberships'], relations: [] };

function noTwin(parent: GraphQLObjectType, field: FieldNode): NoTwin[] {
  return [{ reason: `REST has no operation for ${parent.name}.${field.name.value}.` }];
}

function defaultsOf(operation: OperationDefinitionNode): Record<string, unknown> {
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return Object.fromEntries(defaults) as Record<string, unknown>;
}

function changesRequest(args: Record<string, unknown>, operation: string): RestRequest {
  const { after, since, kinds, first = null } = args;
  const query = {
    ...(first === null ? {} : { limit: String(Math.min(Number(first), 50)) }),
    ...(after ? { token: String(after) } : {}),
    ...(since ? { since: String(since).toLowerCase() } : {}),
    ...(Array.isArray(kinds) ? { kinds: kinds.map((kind) => String(kind).toLowerCase()).join(' ') } : {}),
  };
  if (operation !== 'subscription') return readRequest('/changes', query);
  return { ...readRequest('/changes', query), headers: { accept: 'text/event-stream' }, streams: true };
}
