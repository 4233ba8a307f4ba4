import type { FragmentDefinitionNode, GraphQLSchema } from 'graphql';

/** The part of a document that its operations need. */
export interface DocumentFacts {
  schema: GraphQLSchema;
  fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /**
   * Whether it has no directives, so that its selection does not depend on variables, and no names that start with two
   * underscores (except `__typename`), which are introspection or, as an alias, special properties of JavaScript.
   */
  plain: boolean;
  /** Whether it is in the operator's manifest. */
  trusted: boolean;
  source: string;
  /** The estimated memory of all that is remembered of it. */
  bytes: number;
}
