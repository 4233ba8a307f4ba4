import { type FieldNode, type SelectionNode, valueFromASTUntyped } from 'graphql';

/** Reads an uncoerced argument; undefined if it is absent. */
export type ReadArgument = (name: string) => unknown;

/** @param variables called only when an argument is read */
export function argumentsOf(node: FieldNode, variables: () => Record<string, unknown>): ReadArgument {
  return (name) => {
    const argument = node.arguments?.find((each) => each.name.value === name);
    return argument && valueFromASTUntyped(argument.value, variables());
  };
}

/** Judged by the uncoerced values. */
export function isSkipped(node: SelectionNode, variables: () => Record<string, unknown>): boolean {
  return (node.directives ?? []).some(({ name, arguments: args }) => {
    const condition = args?.find((each) => each.name.value === 'if');
    const value = condition && valueFromASTUntyped(condition.value, variables());
    return (name.value === 'skip' && value === true) || (name.value === 'include' && value === false);
  });
}
