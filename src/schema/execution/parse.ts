import { type DocumentNode, type FieldNode, parse, type SelectionNode, visit } from 'graphql';
import { fragmentsOf, isPlain } from '#compiled-graphql';
import { limits } from './limits.ts';

/** @throws GraphQLSyntaxError */
export function parseDocument(source: string) {
  const whole = parse(source, { maxLexicalTokens: limits.tokens });
  const document = withoutRepetitions(whole);
  const { definitions, loc } = document;
  const tokens = whole.tokenCount ?? 0;
  return { definitions, loc, tokens, plain: isPlain(document), fragments: fragmentsOf(definitions) };
}

/** Validation limits the pairs of fields with one response key, which documents within our own limits must not meet. */
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

function isPlainLeaf(node: SelectionNode): node is FieldNode {
  if (node.kind !== 'Field' || node.alias || node.selectionSet) return false;
  return !node.arguments?.length && !node.directives?.length;
}
