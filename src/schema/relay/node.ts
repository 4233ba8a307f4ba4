import { planOnce, Selection } from '#compiled-graphql';
import type { Context, Loader } from '../../engine/context.ts';
import { builder } from '../builder/builder.ts';
import type { NodeType } from '../builder/global-id.ts';
import { type NodeAccess, nodeAccess } from '../builder/node-access.ts';

export interface NodeOptions extends Partial<NodeAccess> {
  /** The loader of the rows with these columns; it returns null for rows that the viewer may not see. */
  loader(ctx: Context, columns: string[], id: string): Loader<{ id: string } | null>;
}

/** A type with a global id, which `node` and `nodes` find; its fields are declared with `implement`. */
export function nodeRef<Row extends { id: string }>(name: NodeType, { loader, ...access }: NodeOptions) {
  nodeAccess.set(name, { organizational: true, ...access });
  return builder.nodeRef<Row>(name, {
    id: { resolve: ({ id }) => id },
    // the way of the plugin that is told what is selected; the loader puts the rows of one page together
    loadWithoutCache: (id, ctx, info) => {
      const selections = planOnce(ctx, info, () => new Map<NodeType, Selection>());
      const selection = selections.get(name) ?? Selection.answer(info, name);
      selections.set(name, selection);
      return loader(ctx, selection.columns(), id).load(id) as Promise<Row | null>;
    },
  });
}
