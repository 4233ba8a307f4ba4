import { planOnce, Selection } from '#compiled-graphql';
import type { Context, Loader } from '../../engine/context.ts';
import { builder } from '../builder/builder.ts';
import type { NodeType } from '../builder/global-id.ts';
import { type NodeAccess, nodeAccess } from '../builder/node-access.ts';

export interface NodeOptions extends Partial<NodeAccess> {
  /** Returns null for rows that the viewer may not see. */
  loader(ctx: Context, columns: string[], id: string): Loader<{ id: string } | null>;
}

/** A type that `node` and `nodes` find; declare its fields with `implement`. */
export function nodeRef<Row extends { id: string }>(name: NodeType, { loader, ...access }: NodeOptions) {
  nodeAccess.set(name, { organizational: true, ...access });
  return builder.nodeRef<Row>(name, {
    id: { resolve: ({ id }) => id },
    // this variant is passed the selection; the loader batches the rows of a page
    loadWithoutCache: (id, ctx, info) => {
      const selections = planOnce(ctx, info, () => new Map<NodeType, Selection>());
      const selection = selections.get(name) ?? Selection.answer(info, name);
      selections.set(name, selection);
      return loader(ctx, selection.columns(), id).load(id) as Promise<Row | null>;
    },
  });
}
