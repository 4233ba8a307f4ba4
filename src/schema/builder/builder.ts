import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import type { Context } from '../../engine/context.ts';

/** The schema builder. Types are defined in the nouns' files, which all import it. */
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
    // nullable, so that a failed mutation does not discard the results of the others
    relayMutationFieldOptions: { nullable: true },
    clientMutationIdInputOptions: { description: 'Returned unchanged in the payload.' },
    clientMutationIdFieldOptions: { description: 'The `clientMutationId` of the input.' },
    mutationInputArgOptions: { description: 'The input of the mutation.' },
    // `node` and `nodes` are ours: the plugin's throw for a malformed id instead of returning null
    // (interface/graphql.md#ids)
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodesOnConnection: false,
    pageInfoFieldOptions: {
      description: 'The first and last cursor of the page, and whether more items precede or follow it.',
    },
    edgesFieldOptions: { nullable: { list: false, items: false }, description: 'The items, each with its cursor.' },
    nodeFieldOptions: { nullable: false, description: 'The item.' },
    cursorFieldOptions: { description: "The position of this item, for `after`, `before` and REST's `token`." },
    nodeTypeOptions: { description: 'An object with a global id.' },
    pageInfoTypeOptions: {
      description: 'The first and last cursor of a page, and whether more items precede or follow it.',
    },
    hasNextPageFieldOptions: { description: 'Whether an item follows the page; always exact.' },
    hasPreviousPageFieldOptions: { description: 'Whether an item precedes the page; always exact.' },
    startCursorFieldOptions: { description: 'The cursor of the first item; null on an empty page.' },
    endCursorFieldOptions: { description: 'The cursor of the last item; null on an empty page.' },
    idFieldOptions: { description: 'Global id.' },
  },
});

/** The builder's type parameter, for references to its types. */
export type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

/** What declares the fields of an output type. */
export type ObjectFields<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>;

builder.queryType({ description: 'The read operations.' });

builder.subscriptionType({ description: 'Streams, over `text/event-stream`.' });

builder.mutationType({
  description: 'The write operations. They run one at a time, in the order of the document.',
});
