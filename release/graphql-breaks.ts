import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema, type GraphQLSchema, isObjectType } from 'graphql';
import type { Break } from './break.ts';

/** What breaks for clients of GraphQL between two printed schemas. */
export async function graphqlBreaks(before: string, after: string): Promise<Break[]> {
  const old = buildSchema(before);
  const changes = await diff(old, buildSchema(after));
  return changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ type, path = '', message }) => ({
      face: 'GraphQL',
      name: path,
      field: type === 'FIELD_REMOVED' || type === 'FIELD_TYPE_CHANGED' ? path : null,
      what: message,
      removal: type.endsWith('_REMOVED'),
      sunset: sunsetOf(old, path),
    }));
}

/** The day at the end of the reason of `@deprecated`, which both faces take from one definition. */
function sunsetOf(schema: GraphQLSchema, path: string): string | null {
  const [typeName = '', member = ''] = path.split('.');
  const type = schema.getType(typeName);
  const reason = isObjectType(type) ? type.getFields()[member]?.deprecationReason : undefined;
  return /Sunset: (\d{4}-\d\d-\d\d)\.$/.exec(reason ?? '')?.[1] ?? null;
}
