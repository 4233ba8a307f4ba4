/** A list of REST, by the GraphQL type of its items. Paths have `{name}` for a parameter, as in OpenAPI. */
export interface ListTwin {
  path: string;
  /** The path of one item, if there is one. */
  item: string | null;
  /** What `fields` takes. */
  fields: readonly string[];
  /** What `include` takes. */
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

/** What the REST face has for the operations of the GraphQL face. */
export interface RestTwins {
  lists: Record<string, ListTwin>;
  mutations: Record<string, MutationTwin>;
  /** The paths of operations that read, by operation id. */
  reads: Record<string, string>;
  /** By the name of a GraphQL enum, REST's values of its members. */
  enums: Record<string, Record<string, unknown>>;
}
