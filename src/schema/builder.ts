import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import type { Context } from '../domain/context.ts';
import type { FieldAccess } from './access.ts';
import type { FieldCost } from './cost.ts';
import type { NodeType } from './global-id.ts';

/** What fields of ours say about themselves; the executor ignores it, `selection`, `cost` and `access` read it. */
export type FieldExtensions = {
  /** The columns of its own row that a field is made from. */
  columns?: readonly string[];
  /** How many nodes the field stands for, for each parent. */
  cost?: FieldCost;
  /** What a root field needs. */
  access?: FieldAccess;
  /** What the database can write in place of a resolver: the id, plain or as a global one, or the row's user. */
  json?: 'id' | { globalId: NodeType } | 'user';
};

/** Defines no types (the nouns' files do), so that any of them may import it. */
export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
  };
}>({
  plugins: [RelayPlugin],
  defaultFieldNullability: false,
  relay: {
    cursorType: 'String',
    clientMutationId: 'optional',
    // one that fails must not take away what the others of its operation answer
    relayMutationFieldOptions: { nullable: true },
    clientMutationIdInputOptions: { description: 'Comes back in the payload.' },
    clientMutationIdFieldOptions: { description: 'What the input gave.' },
    mutationInputArgOptions: { description: 'What the mutation is called with.' },
    // `node` and `nodes` are ours: the plugin's throw for a malformed id, where null is the answer (decisions §7)
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodesOnConnection: false,
    pageInfoFieldOptions: { description: 'What lies around the page.' },
    edgesFieldOptions: { nullable: { list: false, items: false }, description: 'The items, each with its cursor.' },
    nodeFieldOptions: { nullable: false, description: 'The item.' },
    cursorFieldOptions: { description: 'The place of this item; `after`, `before` and REST `token` take it.' },
    nodeTypeOptions: { description: 'What has a global id.' },
    pageInfoTypeOptions: { description: 'What lies around a page.' },
    hasNextPageFieldOptions: { description: 'Whether an item follows the page. Exact, not guessed.' },
    hasPreviousPageFieldOptions: { description: 'Whether an item precedes the page. Exact, not guessed.' },
    startCursorFieldOptions: { description: 'The cursor of the first item; null on an empty page.' },
    endCursorFieldOptions: { description: 'The cursor of the last item; null on an empty page.' },
    idFieldOptions: { description: 'Global id.' },
  },
});

/** The builder's own type parameter, for references to what it makes. */
export type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

builder.queryType({ description: 'Where every read starts.' });

builder.mutationType({ description: 'What can be done; one after the other, in the order of the operation.' });
