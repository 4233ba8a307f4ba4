import { type FieldNode, valueFromASTUntyped } from 'graphql';

/** Gives an argument of a field as the document and the variables have it, whatever its type; undefined where it is absent. */
export type ReadArgument = (name: string) => unknown;

/** @param variables asked for only where an argument is read */
export function argumentsOf(node: FieldNode, variables: () => Record<string, unknown>): ReadArgument {
  return (name) => {
    const argument = node.arguments?.find((each) => each.name.value === name);
    return argument && valueFromASTUntyped(argument.value, variables());
  };
}
