import type { Context, Loader } from '../../engine/context.ts';
import type { Selection } from '../builder/selection.ts';
import { type NodeType, nodeTypes } from './global-id.ts';

/** How to load rows of a type by their global ids. */
export interface NodeDefinition {
  /** Whether reading a row requires an organization; otherwise only a viewer is required. */
  organizational: boolean | ((id: string, viewerId: string | null) => boolean);
  /** Whether no sign-in is required. */
  public?: true;
  /** The loader of the rows; it returns null for rows that the viewer may not see. */
  loader(ctx: Context, selection: Selection, id: string): Loader<{ id: string } | null>;
}

const definitions = new Map<NodeType, NodeDefinition>();

/** Registers a type for `node` and `nodes`. */
export function defineNode(type: NodeType, definition: NodeDefinition): void {
  definitions.set(type, definition);
}

export function nodeDefinition(type: NodeType): NodeDefinition {
  const definition = definitions.get(type);
  if (!definition) throw new Error(`${type} has global ids, but is not registered with defineNode`);
  return definition;
}

/** @throws Error for a type with global ids that is not registered */
export function requireNodeDefinitions(): void {
  for (const type of nodeTypes) nodeDefinition(type);
}
