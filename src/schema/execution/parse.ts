import {
  BREAK,
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  parse,
  type SelectionNode,
  visit,
} from 'graphql';
import { limits } from './limits.ts';

/** @throws GraphQLSyntaxError */
export function parseDocument(source: string) {
  const whole = parse(source, { maxLexicalTokens: limits.tokens });
  const document = withoutRepetitions(whole);
  const { definitions, loc } = document;
  const tokens = whole.tokenCount ?? 0;
  return { definitions, loc, tokens, plain: isPlain(document), fragments: fragmentsOf(definitions) };
}

function fragmentsOf(definitions: readonly DefinitionNode[]): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  // the first of each name; validation refuses duplicates
  for (const each of definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) fragments[each.name.value] ??= each;
  return fragments;
}

/**
 * Removes repeated leaf fields from selection sets, which does not change the result. Validation compares all pairs of fields
 * with the same response key, up to a limit; a document within our own limits must not fail because of that one.
 */
function withoutRepetitions(document: DocumentNode): DocumentNode {
  return visit(document, {
    SelectionSet: (set) => {
      const seen = new Set<string>();
      const selections = set.selections.filter((node) => {
        if (!isPlainLeaf(node)) return true;
        if (seen.has(node.name.value)) return false;
        seen.add(node.name.value);
        return true;
      });
      return selections.length < set.selections.length ? { ...set, selections } : undefined;
    },
  });
}

function isPlain(document: DocumentNode): boolean {
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

function isPlainLeaf(node: SelectionNode): node is FieldNode {
  if (node.kind !== 'Field' || node.alias || node.selectionSet) return false;
  return !node.arguments?.length && !node.directives?.length;
}
