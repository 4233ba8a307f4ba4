import { parseUuid } from '../domain/uuid.ts';

/** The types that have global ids. */
export const nodeTypes = [
  'Event',
  'EventSubscription',
  'User',
  'Organization',
  'Membership',
  'Invitation',
  'Session',
  'AuditEntry',
] as const;
export type NodeType = (typeof nodeTypes)[number];

/** The Relay global id of a row: base64 of `Type:uuid`. */
export function globalId(type: NodeType, id: string): string {
  return btoa(`${type}:${id}`);
}

/** What a global id names, or null where the text is none. */
export function parseGlobalId(value: unknown): { type: NodeType; id: string } | null {
  if (typeof value !== 'string' || value.length > 100) return null;
  const bytes = Buffer.from(value, 'base64');
  // the decoder also takes texts with more than their characters
  if (bytes.toString('base64') !== value) return null;
  const text = bytes.toString('latin1');
  const colon = text.indexOf(':');
  const type = nodeTypes.find((each) => each === text.slice(0, colon));
  const id = parseUuid(text.slice(colon + 1));
  return type && id ? { type, id } : null;
}

/** The REST id in either writing: itself, or inside a global id of that type; null for anything else. */
export function parseEitherId(value: unknown, type: NodeType): string | null {
  const uuid = parseUuid(value);
  if (uuid) return uuid;
  const global = parseGlobalId(value);
  return global?.type === type ? global.id : null;
}
