import type { introspection } from 'events-gateway-client';
import { initGraphQLTada } from 'gql.tada';

/** Parses documents, and types them by `schema.graphql`: nothing is generated. */
export const graphql = initGraphQLTada<{ introspection: introspection; scalars: { DateTime: string } }>();
