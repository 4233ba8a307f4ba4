import type { Context } from '../../engine/context.ts';
import type { Loader } from '../../engine/loaders.ts';
import type { Selection } from '../builder/selection.ts';
import { type NodeType, nodeTypes } from './global-id.ts';

/** How to load rows of a type by their global ids. */
export interface NodeDefinition {
  /** Whether a row needs the organization of the request; if not, every viewer may ask for it. */
  organizational: boolean | ((id: string, viewerId: string | null) => boolean);
  /** Whether nobody needs to be signed in. */
  public?: true;
  /** The loader of the rows; null for rows that the viewer may not see. */
  loader(ctx: Context, selection: Selection, id: string): Loader<{ id: string } | null>;
}

const definitions = new Map<NodeType, NodeDefinition>();

/** Registers a type for `node` and `nodes`. */
export function defineNode(type: NodeType, definition: NodeDefinition): void {
  definitions.set(type, definition);
}

export function nodeDefinition(type: NodeType): NodeDefinition {
  const definition = definitions.get(type);
  if (!definition) throw new Error(`${type} has global ids, and no defineNode says how to find its rows`);
  return definition;
}

/** @throws Error for a type with global ids that is not registered */
export function requireNodeDefinitions(): void {
  for (const type of nodeTypes) nodeDefinition(type);
}
