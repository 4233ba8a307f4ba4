import {
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
} from 'graphql';

/**
 * The types that variables are coerced to: every field of an input is nullable, so that the command reports what is absent
 * together with all other issues, as in REST (reference/graphql.md#errors). Documents are validated with the real types.
 */
export function variableTypes(schema: GraphQLSchema): GraphQLSchema {
  const inputs = new Map<string, GraphQLInputObjectType>();
  const typeOf = (type: GraphQLInputType): GraphQLInputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(typeOf(type.ofType) as never);
    if (isListType(type)) return new GraphQLList(typeOf(type.ofType));
    return inputs.get(type.name) ?? type;
  };
  const types = Object.values(schema.getTypeMap()).filter(isInputType);
  for (const type of types.filter(isInputObjectType)) {
    const { fields, ...config } = type.toConfig();
    const nullable = (field: GraphQLInputFieldConfig) => ({ ...field, type: typeOf(getNullableType(field.type)) });
    const own = () => Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, nullable(field)]));
    inputs.set(type.name, new GraphQLInputObjectType({ ...config, fields: own }));
  }
  // it has no operations, which graphql-js would refuse
  return new GraphQLSchema({ types: types.map((type) => inputs.get(type.name) ?? type), assumeValid: true });
}
