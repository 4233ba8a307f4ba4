/** Parameters in paths are `{name}`, as in OpenAPI. */
export interface ListTwin {
  path: string;
  /** The path of one item, if there is one. */
  item: string | null;
  fields: readonly string[];
  /** What `include` accepts. */
  relations: readonly string[];
}

export interface MutationTwin {
  method: string;
  path: string;
  /** The field of the input with the object's id, and the parameter of the path that takes it. */
  object: { field: string; parameter: string } | null;
  /** The fields of the body that may be null. */
  nullable: readonly string[];
}

export interface RestTwins {
  /** By the type of the items; after `Query.` if only the root has the list. */
  lists: Record<string, ListTwin>;
  mutations: Record<string, MutationTwin>;
  /** The paths of operations that read, by operation id. */
  reads: Record<string, string>;
  /** REST's values of the members of GraphQL enums, by the name of the enum. */
  enums: Record<string, Record<string, unknown>>;
}
