import {
  type DocumentNode,
  doTypesOverlap,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';

/** The fields that are selected of an object, with those of fragments that apply to its type. */
export type FieldsOf = (type: GraphQLObjectType, set: SelectionSetNode | undefined) => FieldNode[];

export function fieldsIn(schema: GraphQLSchema, { definitions }: DocumentNode): FieldsOf {
  const fragments = definitions.filter((each) => each.kind === 'FragmentDefinition');
  const fieldsOf: FieldsOf = (type, set) =>
    (set?.selections ?? []).flatMap((each) => {
      if (each.kind === 'Field') return [each];
      const isInline = each.kind === 'InlineFragment';
      const fragment = isInline ? each : fragments.find(({ name }) => name.value === each.name.value);
      const condition = fragment?.typeCondition;
      const wanted = condition ? (typeFromAST(schema, condition) as GraphQLCompositeType) : type;
      return doTypesOverlap(schema, type, wanted) ? fieldsOf(type, fragment?.selectionSet) : [];
    });
  return fieldsOf;
}
