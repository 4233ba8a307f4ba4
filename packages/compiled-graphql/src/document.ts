import { BREAK, type DefinitionNode, type DocumentNode, type FragmentDefinitionNode, Kind, visit } from 'graphql';

export function fragmentsOf(definitions: readonly DefinitionNode[]): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  // the first of each name; validation refuses duplicates
  for (const each of definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) fragments[each.name.value] ??= each;
  return fragments;
}

/** Whether a document has no directives, and no names that start with two underscores except `__typename`. */
export function isPlain(document: DocumentNode): boolean {
  let plain = true;
  const refuse = (): typeof BREAK => {
    plain = false;
    return BREAK;
  };
  visit(document, {
    Directive: refuse,
    Name: ({ value }) => (value.startsWith('__') && value !== '__typename' ? refuse() : undefined),
  });
  return plain;
}
