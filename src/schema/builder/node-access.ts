import type { Viewer } from '../../kernel/request.ts';
import type { RequiredAccess } from './field-extensions.ts';
import { type NodeType, parseGlobalId } from './global-id.ts';

/** The loader decides what is visible. */
export interface NodeAccess {
  /** Whether an organization is required; otherwise only a viewer. */
  organizational: boolean | ((id: string, viewerId: string | null) => boolean);
  /** No sign-in is required. */
  public?: true;
}

export const nodeAccess = new Map<NodeType, NodeAccess>();

/** The viewer and their organizations need no organization; all other data belong to one. */
export function idAccess(ids: unknown, viewer: Viewer | null): RequiredAccess {
  const named = [ids].flat().map(parseGlobalId);
  if (named.length > 0 && named.every((each) => each && nodeAccess.get(each.typename)?.public)) return 'public';
  if (named.some((each) => each && needsOrganization(each.typename, each.id, viewer))) return 'organization';
  // the viewer's own memberships can be read anywhere, those of others only in their organization
  return named.some((each) => each?.typename === 'Membership') ? 'organization if named' : 'viewer';
}

function needsOrganization(type: NodeType, id: string, viewer: Viewer | null): boolean {
  const organizational = nodeAccess.get(type)?.organizational ?? true;
  return typeof organizational === 'boolean' ? organizational : organizational(id, viewer?.userId ?? null);
}
