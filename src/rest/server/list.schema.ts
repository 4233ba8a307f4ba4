import { type ZodType, z } from 'zod';
import { filterNames, filterOf, type ListField, type ListResource } from '../../engine/list/resource.ts';
import { type Deprecation, deprecationReason } from '../../kernel/deprecation.ts';
import { maxPageSize, type Projection, restDialect } from './list-query.ts';
import { type ParameterDoc, type QuerySchemas, queryDocs } from './route.ts';

/** The maximum of a PostgreSQL `integer`. */
const greatestInteger = 2_147_483_647;

const timestamp = z.iso.datetime({ precision: 3 });

export interface View extends Projection {
  schema: ZodType;
  /** The fields shown by default. */
  columns: string[];
}

interface ViewOptions extends Pick<Projection, 'computed'> {
  /** What `include` can add. */
  relations?: Record<string, ZodType>;
  /** Fields in addition to those of the resource. */
  further?: Record<string, ZodType>;
}

export function viewOf(
  resource: ListResource,
  id: string,
  { relations = {}, computed = {}, further = {} }: ViewOptions = {},
): View {
  const fields = mapValues(resource.fields, fieldSchema);
  const related = mapValues(relations, (schema, name) =>
    schema.optional().meta({ description: `With \`include=${name}\`.` }),
  );
  return {
    resource,
    relations: Object.keys(relations),
    computed,
    schema: z.strictObject({ ...fields, ...computed, ...related, ...further }).meta({ id }),
    columns: Object.keys({ ...fields, ...further }),
  };
}

function mapValues<From, To>(
  values: Record<string, From>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

function fieldSchema(definition: ListField): ZodType {
  const schema = valueSchema(definition);
  return (definition.nullable ? schema.nullable() : schema).meta({
    description: definition.description,
    ...(definition.names && { names: definition.names }),
    ...(definition.deprecated && deprecationDocs(definition.deprecated)),
  });
}

export function deprecationDocs(deprecation: Deprecation): Record<string, unknown> {
  return { deprecated: true, 'x-sunset': deprecation.sunset, 'x-deprecation': deprecationReason(deprecation) };
}

function valueSchema(definition: ListField): ZodType {
  switch (definition.type) {
    case 'uuid':
      return z.guid();
    case 'enum':
      return z.enum(definition.members as [string, ...string[]]);
    case 'enums':
      return z.array(z.enum(definition.members as [string, ...string[]]));
    case 'integer':
      return definition.names ? z.literal(Object.values(definition.names)) : z.int().min(0).max(greatestInteger);
    case 'boolean':
      return z.boolean();
    case 'timestamp':
      return timestamp;
    case 'json':
      return z.record(z.string(), z.unknown());
    default:
      return z.string();
  }
}

/** The envelope that all list endpoints share (reference/lists.md#envelope). */
export function envelopeSchema(item: ZodType, id: string): ZodType {
  const cursor = z.string().nullable();
  return z
    .strictObject({
      items: z.array(item),
      length: z.int().min(0).max(maxPageSize).meta({ description: 'The number of items on this page.' }),
      has_more: z
        .boolean()
        .meta({ description: 'Whether another page follows, in the order of this response; exact.' }),
      next: cursor.meta({ description: 'Cursor of the last item; null if `has_more` is false.' }),
      prev: cursor.meta({ description: 'Cursor of the previous page; null if there is none.' }),
    })
    .meta({ id });
}

/** For OpenAPI only: {@link readBodyParameters} checks it, by the rules of the query string. */
export const queryBodySchema = z.unknown().meta({
  id: 'ListQuery',
  type: 'object',
  additionalProperties: false,
  properties: {
    // states the default: without it, type generators declare a filter without fields
    where: { type: 'object', additionalProperties: true, description: 'The filter.' },
    limit: { type: 'integer', description: 'Items per page; 1 to 50, anything else is 50.' },
    token: { type: 'string', description: 'Cursor taken from `next` or `prev`.' },
    from: { type: 'string', format: 'date-time', description: 'Where the first page begins, instead of a token.' },
    sort: { type: 'integer', enum: [1, -1], description: '1 ascending (default), -1 descending.' },
    fields: { type: 'string', description: 'Names of the fields to return, separated by a space.' },
    include: { type: 'string', description: 'Names of the relations to include, separated by a space.' },
  },
});

/** A string, since client generators would not serialize an object as JSON. */
export function whereSchema(resource: ListResource) {
  const fields = [...filterNames(resource, restDialect)].map(([name, field]) => {
    const definition = filterOf(resource, field);
    if (definition?.contains) return `\`${name}\` (case-insensitive substring)`;
    return `\`${name}\` (${definition?.operators?.map((each) => `$${each}`).join(' ')})`;
  });
  return {
    description: `A JSON object, URL-encoded. Fields: ${fields.join(', ')}. Logic: $and, $or, $not.`,
    ...{ type: 'string', examples: ['{"status":1}'].filter(() => resource.name === 'event') },
  };
}

export function projectionSchemas({ resource, relations, computed = {} }: Projection): QuerySchemas {
  const names = (list: readonly string[]) => list.map((name) => `\`${name}\``).join(', ');
  const all = `Fields to return, separated by a space: ${names(Object.keys(resource.fields))}. All if absent; otherwise the response has the named ones alone, whatever its schema requires.`;
  const further = Object.keys(computed);
  const fields = { type: 'string', description: further.length > 0 ? `${all} Only if named: ${names(further)}.` : all };
  const include = { type: 'string', description: `Relations to include, separated by a space: ${names(relations)}.` };
  return relations.length > 0 ? { fields, include } : { fields };
}

/** The parameters that all list endpoints share (reference/lists.md#parameters). */
export function listParameterDocs(projection: Projection): ParameterDoc[] {
  return queryDocs({
    where: whereSchema(projection.resource),
    limit: {
      ...{ type: 'integer', default: 50 },
      description: 'Items per page, 1 to 50; anything else counts as 50. A page of very large items ends earlier.',
    },
    token: { type: 'string', description: 'Opaque cursor taken from `next` or `prev`.' },
    from: {
      ...{ type: 'string', format: 'date-time' },
      description: `Begins the first page with the first item whose \`${projection.resource.order}\` is not before this time (with \`sort=-1\`: not after it); \`prev\` leads to what precedes it. Not together with \`token\`.`,
    },
    sort: {
      ...{ type: 'integer', enum: [1, -1], default: 1 },
      description: '1 ascending, -1 descending; send the same value for every page.',
    },
    ...projectionSchemas(projection),
  });
}
