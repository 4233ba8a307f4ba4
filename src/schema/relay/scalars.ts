import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { parseTimestamp } from '#input-values';
import { builder } from '../builder/builder.ts';

builder.scalarType('DateTime', {
  description:
    'A point in time: ISO 8601 with time and zone. Responses use UTC with milliseconds, for example `2026-01-31T10:00:00.000Z`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => value as string,
  parseValue: (value) => timestamp(value),
  parseLiteral: (node) => timestamp(node.kind === Kind.STRING ? node.value : null, node),
});

/** @param node the literal in the document; for variables, graphql-js adds the location to the error */
function timestamp(value: unknown, node?: ValueNode): string {
  const parsed = parseTimestamp(value);
  if (parsed === null) throw new GraphQLError('A timestamp must be ISO 8601 with time and zone.', { nodes: node });
  return parsed;
}

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => value,
});
