/** The REST list with items of a GraphQL type. Parameters in paths are `{name}`, as in OpenAPI. */
export interface ListTwin {
  path: string;
  /** The path of one item, if there is one. */
  item: string | null;
  /** The values that `fields` accepts. */
  fields: readonly string[];
  /** The values that `include` accepts. */
  relations: readonly string[];
}

/** The REST operation of a mutation: both run the same command. */
export interface MutationTwin {
  method: string;
  path: string;
  /** The field of the input with the object's id, and the parameter of the path that takes it. */
  object: { field: string; parameter: string } | null;
  /** The fields of the body that may be null. */
  nullable: readonly string[];
}

/** The REST equivalents of the GraphQL operations. */
export interface RestTwins {
  /** By the type of the items; after `Query.` if only the root has the list. */
  lists: Record<string, ListTwin>;
  mutations: Record<string, MutationTwin>;
  /** The paths of operations that read, by operation id. */
  reads: Record<string, string>;
  /** REST's values of the members of GraphQL enums, by the name of the enum. */
  enums: Record<string, Record<string, unknown>>;
}
