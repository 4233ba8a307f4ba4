import { type FieldNode, valueFromASTUntyped } from 'graphql';

/** Reads an argument of a field from the document and the variables, without coercion; undefined if it is absent. */
export type ReadArgument = (name: string) => unknown;

/** @param variables called only when an argument is read */
export function argumentsOf(node: FieldNode, variables: () => Record<string, unknown>): ReadArgument {
  return (name) => {
    const argument = node.arguments?.find((each) => each.name.value === name);
    return argument && valueFromASTUntyped(argument.value, variables());
  };
}
