import { type DocumentNode, type GraphQLError, Kind, type SelectionNode, type SelectionSetNode, visit } from 'graphql';
import { codedError, type DocumentLimits } from './rules.ts';
import type { SelectionSource } from './selection.ts';

type Fragmented = DocumentNode & Pick<SelectionSource, 'fragments'>;

/** Runs before validation, in linear time. */
export function exceededLimits(document: Fragmented, limits: DocumentLimits): GraphQLError[] {
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
  const depth = depthOf(document);
  const counts: [what: string, count: number, limit: number][] = [
    ['levels of fields', depth.fields, limits.depth],
    ['levels of fields of introspection', depth.introspection, limits.introspectionDepth],
    ['aliases', aliases, limits.aliases],
    ['directives', directives, limits.directives],
  ];
  return counts
    .filter(([, count, limit]) => count > limit)
    .map(([what, count, limit]) =>
      codedError('INVALID_QUERY', `The document has ${count} ${what}; at most ${limit} are allowed.`),
    );
}

/** Levels of fields, counted separately below `__schema` and `__type`. */
interface Depth {
  fields: number;
  introspection: number;
}

/** Each fragment is measured once, however often it is spread. Recursion is bounded by the limit of tokens. */
function depthOf({ definitions, fragments }: Fragmented): Depth {
  const measured = new Map<string, Depth>();
  const ofFragment = (name: string): Depth => {
    const known = measured.get(name);
    if (known) return known;
    // cycles are not followed; validation rejects them
    measured.set(name, { fields: 0, introspection: 0 });
    const depth = ofSet(fragments[name]?.selectionSet);
    measured.set(name, depth);
    return depth;
  };
  const ofNode = (node: SelectionNode): Depth => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return ofFragment(node.name.value);
    const below = ofSet(node.selectionSet);
    if (node.kind === Kind.INLINE_FRAGMENT) return below;
    const isIntrospection = node.name.value === '__schema' || node.name.value === '__type';
    if (isIntrospection) return { fields: 0, introspection: Math.max(below.fields, below.introspection) + 1 };
    return { fields: below.fields + 1, introspection: below.introspection };
  };
  const ofSet = (set: SelectionSetNode | undefined): Depth => deepest((set?.selections ?? []).map(ofNode));
  return deepest(
    definitions.map((each) => ofSet(each.kind === Kind.OPERATION_DEFINITION ? each.selectionSet : undefined)),
  );
}

function deepest(depths: readonly Depth[]): Depth {
  return {
    fields: Math.max(0, ...depths.map(({ fields }) => fields)),
    introspection: Math.max(0, ...depths.map(({ introspection }) => introspection)),
  };
}
