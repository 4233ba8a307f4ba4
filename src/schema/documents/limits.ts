import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { codedError } from '../execution/coded-error.ts';

/**
 * The limits of a document (interface/graphql.md#limits-of-a-document). Cost, which depends on the variables, is
 * computed separately.
 */
export const limits = { depth: 10, introspectionDepth: 15, aliases: 15, directives: 10, tokens: 1_000 };

/**
 * Measures a document before validation, in linear time: each fragment is measured once, however often it is spread, and
 * cycles are not followed (validation refuses them).
 *
 * @returns an error for each exceeded limit
 */
export function exceededLimits(document: DocumentNode): GraphQLError[] {
  let aliases = 0;
  let directives = 0;
  visit(document, {
    Field: (node) => {
      if (node.alias) aliases += 1;
    },
    Directive: () => {
      directives += 1;
    },
  });
  const { fields, introspection } = new DepthGauge(document).measure();
  return [
    ...exceeded('levels of fields', fields, limits.depth),
    ...exceeded('levels of fields of introspection', introspection, limits.introspectionDepth),
    ...exceeded('aliases', aliases, limits.aliases),
    ...exceeded('directives', directives, limits.directives),
  ];
}

function exceeded(what: string, count: number, limit: number): GraphQLError[] {
  return count > limit
    ? [codedError('INVALID_QUERY', `The document has ${count} ${what}; at most ${limit} are allowed.`)]
    : [];
}

/** Levels of fields, with a separate count for introspection, which `__schema` and `__type` start. */
interface Depth {
  fields: number;
  introspection: number;
}

class DepthGauge {
  private readonly document: DocumentNode;
  private readonly fragments: Map<string, FragmentDefinitionNode>;
  private readonly measured = new Map<string, Depth>();

  constructor(document: DocumentNode) {
    this.document = document;
    this.fragments = new Map(
      document.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
    );
  }

  measure(): Depth {
    const deepest: Depth = { fields: 0, introspection: 0 };
    for (const each of this.document.definitions) {
      if (each.kind === Kind.OPERATION_DEFINITION) deepen(deepest, this.set(each.selectionSet));
    }
    return deepest;
  }

  /** Recursion is at most as deep as the document, which the token limit bounds. */
  private set(set: SelectionSetNode): Depth {
    const deepest: Depth = { fields: 0, introspection: 0 };
    for (const node of set.selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) deepen(deepest, this.fragment(node.name.value));
      else if (node.kind === Kind.INLINE_FRAGMENT) deepen(deepest, this.set(node.selectionSet));
      else {
        const below = node.selectionSet ? this.set(node.selectionSet) : { fields: 0, introspection: 0 };
        const starts = node.name.value === '__schema' || node.name.value === '__type';
        if (starts) deepen(deepest, { fields: 0, introspection: Math.max(below.fields, below.introspection) + 1 });
        else deepen(deepest, { fields: below.fields + 1, introspection: below.introspection });
      }
    }
    return deepest;
  }

  private fragment(name: string): Depth {
    const known = this.measured.get(name);
    if (known) return known;
    const fragment = this.fragments.get(name);
    this.measured.set(name, { fields: 0, introspection: 0 });
    const depth = fragment ? this.set(fragment.selectionSet) : { fields: 0, introspection: 0 };
    this.measured.set(name, depth);
    return depth;
  }
}

function deepen(deepest: Depth, other: Depth): void {
  deepest.fields = Math.max(deepest.fields, other.fields);
  deepest.introspection = Math.max(deepest.introspection, other.introspection);
}
