import SchemaBuilder from '@pothos/core';
import RelayPlugin, { resolveNodes } from '@pothos/plugin-relay';
import type { Context } from '../../engine/context.ts';
import { fault } from '../../kernel/errors.ts';
import type { FieldExtensions } from './field-extensions.ts';
import { globalId, parseGlobalId } from './global-id.ts';
import { idAccess } from './node-access.ts';

/** A text that is no global id: no type has this name. */
const nothing = { typename: '', id: '' };

const maxIds = 100;

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
    encodeGlobalID: globalId,
    decodeGlobalID: (text) => parseGlobalId(text) ?? nothing,
    nodeQueryOptions: {
      description: 'The object with a global id; null if the id is unknown, malformed, or not visible to the viewer.',
      args: { id: { description: 'A global id.' } },
      extensions: {
        cost: 1,
        access: (argument, viewer) => idAccess([argument('id')], viewer),
      } satisfies FieldExtensions,
      resolve: (_root, { id }, _ctx, _info, resolveNode) => (id.typename ? resolveNode(id) : null),
    },
    nodesQueryOptions: {
      description: `The objects with up to ${maxIds} global ids, in the same order; null for each id that is unknown, malformed, or not visible to the viewer.`,
      args: { ids: { description: 'Global ids.' } },
      extensions: {
        cost: (argument) => [argument('ids')].flat().length,
        access: (argument, viewer) => idAccess(argument('ids'), viewer),
      } satisfies FieldExtensions,
      resolve: (_root, { ids }, ctx, info): Promise<unknown[]> => {
        if (ids.length > maxIds) throw fault('INVALID_QUERY', '/ids', `At most ${maxIds} ids can be given.`);
        // the plugin's own function throws for an unknown type
        return resolveNodes(
          builder,
          ctx,
          info,
          ids.map((id) => (id.typename ? id : null)),
        );
      },
    },
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

export type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

export type ObjectFields<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>;

builder.queryType({ description: 'The read operations.' });

builder.subscriptionType({ description: 'Streams, over `text/event-stream`.' });

builder.mutationType({
  description: 'The write operations. They run one at a time, in the order of the document.',
});
