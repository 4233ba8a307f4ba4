import { type FieldNode, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import type { ListTwin } from '../rest-twins.ts';
import type { FieldsOf } from './selection.ts';
import { snakeCase } from './values.ts';

/** The operations that read neither a list nor one of its items, by type and field. */
export const singles: Readonly<Record<string, string>> = {
  'Query.viewer': 'getProfile',
  'Query.organization': 'getOrganization',
  'Event.form': 'getEventForm',
  'PublicEvent.form': 'getPublicEventForm',
  'Query.publicOrganization': 'getPublicOrganization',
};

export const viewerSubscription = 'Event.viewerSubscription';

const restNames: Readonly<Record<string, string>> = { databaseId: 'id', viewerRole: 'role' };

/** The selected fields of an object, divided into those of one request and those that need requests of their own. */
export interface RestProjection {
  query: Record<string, string>;
  notes: string[];
  nested: FieldNode[];
  /** Whether any field of the object itself is selected. */
  own: boolean;
}

export function projectFields(
  fieldsOf: FieldsOf,
  type: GraphQLObjectType,
  twin: ListTwin,
  fields: readonly FieldNode[],
): RestProjection {
  const names = new Set<string>();
  const include = new Set<string>();
  const notes = new Set<string>();
  const nested: FieldNode[] = [];
  const missing = (of: GraphQLObjectType, name: string) => notes.add(`REST does not have ${of.name}.${name} here.`);
  for (const field of fields) {
    const name = field.name.value;
    const own = restNames[name] ?? snakeCase(name.replace(/DatabaseId$/, 'Id'));
    const target = getNamedType(type.getFields()[name]?.type);
    if (name === '__typename') continue;
    if (twin.fields.includes(own)) names.add(own);
    else if (twin.relations.includes(own) && isObjectType(target)) {
      include.add(own);
      for (const each of fieldsOf(target, field.selectionSet)) {
        if (each.selectionSet) missing(target, each.name.value);
      }
    } else if (name === 'phase') {
      for (const each of ['status', 'date_start', 'date_end']) names.add(each);
      notes.add('REST has no phase: it follows from status and dates.');
    } else if (takesRequest(type, name)) nested.push(field);
    else missing(type, name);
  }
  const chosen = twin.fields.filter((each) => names.has(each));
  // without `fields`, REST returns all of them
  const shown = chosen.length > 0 ? chosen : twin.fields.slice(0, 1);
  const query = { fields: shown.join(' '), ...(include.size > 0 ? { include: [...include].join(' ') } : {}) };
  return { query, notes: [...notes], nested, own: fields.length > nested.length };
}

function takesRequest(type: GraphQLObjectType, name: string): boolean {
  const single = `${type.name}.${name}`;
  return isConnection(getNamedType(type.getFields()[name]?.type)) || single in singles || single === viewerSubscription;
}

export function isConnection(type: unknown): type is GraphQLObjectType {
  return isObjectType(type) && type.name.endsWith('Connection');
}
