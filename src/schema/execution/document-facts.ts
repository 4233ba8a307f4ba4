import type { FragmentDefinitionNode, GraphQLSchema } from 'graphql';

/** The part of a document that its operations need. */
export interface DocumentFacts {
  schema: GraphQLSchema;
  fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /**
   * Whether it has no directives, so that its selections do not depend on variables, and no names that start with two
   * underscores (except `__typename`): these are introspection or, as aliases, special JavaScript properties.
   */
  plain: boolean;
  /** Whether it is in the operator's manifest. */
  trusted: boolean;
  source: string;
  /** The estimated memory of everything that is cached for it. */
  bytes: number;
}
