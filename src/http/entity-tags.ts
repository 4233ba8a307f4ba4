import type { IncomingMessage } from 'node:http';

/** The elements of a list of entity tags (RFC 9110, section 5.6.1); none if the list is invalid. */
export function entityTags(list: string): string[] {
  const element = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;
  const tags: string[] = [];
  while (element.lastIndex < list.length) {
    const match = element.exec(list);
    if (!match) return [];
    if (match[1] !== undefined) tags.push(match[1]);
  }
  return tags;
}

/** @param digest a SHA-256 in base64url */
export function weakTag(digest: string): string {
  return `W/"${digest.slice(0, 27)}"`;
}

/** What the client of a read already has (`If-None-Match`; RFC 9110, section 13.1.2). */
export interface Known {
  /** Whether it has the response with this tag. */
  known: boolean;
  /** Whether any version will do (`*`), once the object was found. */
  any: boolean;
}

export function knownBy(request: IncomingMessage, tag: string): Known {
  const given = request.headersDistinct['if-none-match']?.join(', ') ?? '';
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // weak comparison: `W/` is ignored
  const known = isRead && entityTags(given).some((each) => each.replace(/^W\//, '') === tag.slice(2));
  return { known, any: isRead && given.trim() === '*' };
}
