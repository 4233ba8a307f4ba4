/** A JSON schema, as far as it is read here. */
interface Schema {
  $ref?: string;
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  description?: string;
  additionalProperties?: boolean;
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Headers that the client sends itself. */
const ownHeaders = ['x-organization-id', 'idempotency-key', 'last-event-id'];
/** Parameters with names separated by a space, which the client takes as an array. */
const names = ['fields', 'include', 'kinds'];

/**
 * The document as the client takes it: a query is text in an address, but here filters are objects, and names are listed.
 * Both are read from the descriptions of the parameters, which the service makes of the same definitions as its checks.
 */
export function withTypedQueries(document: Document): Document {
  const { schemas } = document.components;
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const operation of Object.values(operations)) {
      operation.parameters = operation.parameters?.filter(({ name }) => !ownHeaders.includes(name));
      for (const parameter of operation.parameters ?? []) {
        const { name, description = '' } = parameter;
        if (parameter.in !== 'query') continue;
        if (names.includes(name)) parameter.schema = { type: 'array', items: { enum: namesIn(description) } };
        if (name === 'where') parameter.schema = addFilter(schemas, operation, filter(document, path, description));
      }
    }
    const where = operations.get?.parameters?.find(({ name }) => name === 'where');
    const body = document.paths[`${path}/query`]?.post?.requestBody?.content['application/json'];
    if (where && body) {
      body.schema = { ...schemas.ListQuery, properties: { ...schemas.ListQuery?.properties, where: where.schema } };
    }
  }
  return document;
}

const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name);

/** Puts a filter among the schemas, once for the operations of a list. @returns a reference to it */
function addFilter(schemas: Record<string, Schema>, { operationId }: Operation, conditions: Schema): Schema {
  const own = `${operationId.replace(/^(list|count|export)/, '')}Where`;
  const withLogic = (name: string): Schema => {
    const $ref = `#/components/schemas/${name}`;
    const logic = { $and: { type: 'array', items: { $ref } }, $or: { type: 'array', items: { $ref } }, $not: { $ref } };
    return { ...conditions, properties: { ...conditions.properties, ...logic } };
  };
  const isSame = (name: string) => JSON.stringify(schemas[name]) === JSON.stringify(withLogic(name));
  const name = Object.keys(schemas).find(isSame) ?? own;
  schemas[name] = withLogic(name);
  return { $ref: `#/components/schemas/${name}` };
}

/** The conditions of a filter, from a text such as "`status` ($eq $ne $in), `name` (case-insensitive substring)". */
function filter(document: Document, path: string, description: string): Schema {
  const item = itemOf(document, path.replace(/\/(count|export)$/, ''));
  const properties: Record<string, Schema> = {};
  for (const [, name = '', how = ''] of description.matchAll(/`(\w+)` \(([^)]*)\)/g)) {
    const operators = how.split(' ').filter((each) => each.startsWith('$'));
    const value = operators.length > 0 ? comparedWith(document, item, name) : { type: 'string' };
    const comparisons = operators.map((each) => [each, each === '$in' ? { type: 'array', items: value } : value]);
    const condition = { type: 'object', properties: Object.fromEntries(comparisons), additionalProperties: false };
    properties[name] = operators.length > 0 ? { anyOf: [value, condition] } : value;
  }
  return { type: 'object', properties, additionalProperties: false };
}

function itemOf({ paths, components }: Document, path: string): Schema | undefined {
  const list = paths[path]?.get?.responses['200']?.content?.['application/json']?.schema;
  const named = (schema: Schema | undefined) => components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? schema;
  return named(named(list)?.properties?.items?.items);
}

/** What a field is compared with: what it can be in an item. */
function comparedWith({ components }: Document, item: Schema | undefined, name: string): Schema {
  if (name === 'viewer_subscription') {
    const { description: _, ...status } = components.schemas.Subscription?.properties?.status ?? {};
    return { anyOf: [status, { type: 'null' }] };
  }
  const { description: _, format: __, pattern: ___, ...value } = item?.properties?.[name] ?? { type: 'string' };
  return value;
}
