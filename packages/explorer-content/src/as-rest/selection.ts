import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

export class Selections {
  readonly #schema: GraphQLSchema;
  readonly #document: DocumentNode;

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema;
    this.#document = document;
  }

  operation(name: string | null | undefined): OperationDefinitionNode | null {
    const operations = this.#document.definitions.filter((each) => each.kind === 'OperationDefinition');
    return operations.find((each) => each.name?.value === name) ?? (name ? null : (operations[0] ?? null));
  }

  fields(type: GraphQLObjectType, set: SelectionSetNode | undefined): FieldNode[] {
    return (set?.selections ?? []).flatMap((each) => {
      if (each.kind === 'Field') return [each];
      const fragment = each.kind === 'InlineFragment' ? each : this.#fragment(each.name.value);
      const condition = fragment?.typeCondition?.name.value;
      return fragment && this.#applies(condition, type) ? this.fields(type, fragment.selectionSet) : [];
    });
  }

  #fragment(name: string) {
    const fragments = this.#document.definitions.filter((each) => each.kind === 'FragmentDefinition');
    return fragments.find((each) => each.name.value === name);
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const abstract = this.#schema.getType(condition);
    return isAbstractType(abstract) && this.#schema.isSubType(abstract, type);
  }
}
