import type { Request } from 'express';
import type { VersionGuard } from '../../engine/version-guard.ts';
import { entityTags } from '../../http/entity-tags.ts';
import type { HeaderDoc, ParameterDoc } from './route.ts';

/** The strong entity tag of a version (RFC 9110, section 8.8.3). */
export function versionTag(version: number): string {
  return `"${version}"`;
}

export const versionTagDoc: HeaderDoc = {
  description: 'The version in double quotes, for `If-Match`.',
  schema: { type: 'string', examples: ['"1"'] },
};

export const ifMatchDoc: ParameterDoc = {
  name: 'if-match',
  in: 'header',
  description: 'The change is refused unless the current version is one of these entity tags; `*` matches any.',
  schema: { type: 'string', examples: ['"1"'] },
};

/**
 * The versions in `If-Match` (RFC 9110, section 13.1.1). Weak tags never match; an invalid list of tags matches nothing.
 */
export function readIfMatch(request: Request): VersionGuard | undefined {
  const given = request.headersDistinct['if-match']?.join(', ').trim();
  if (given === undefined) return undefined;
  if (given === '*') return 'any';
  return entityTags(given).flatMap((tag) => (/^"(?:0|[1-9]\d{0,9})"$/.test(tag) ? [Number(tag.slice(1, -1))] : []));
}
