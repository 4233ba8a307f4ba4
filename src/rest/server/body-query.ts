import { closest } from 'fastest-levenshtein';
import { areEnough, escapePointer, fault, faults, type Issue } from '../../kernel/errors.ts';
import { listParameters, misnamed, type RawParameters, type RawQuery, scanUrl } from './list-query.ts';

/** Reads the parameters of a list from a body. @throws DomainError as {@link readBodyParameters} */
export function readBodyQuery(url: string, body: unknown): RawQuery {
  return readBodyParameters(url, body, listParameters);
}

/**
 * Reads the parameters of `POST …/query`. Such parameters in the URL are refused, since they would be ignored.
 *
 * @throws DomainError INVALID_QUERY for list parameters in the URL
 * @throws DomainError VALIDATION_ERROR for a body that is not an object or has an unknown key
 */
export function readBodyParameters<Name extends string>(
  url: string,
  body: unknown,
  names: readonly Name[],
): RawParameters<Name> {
  const { query, issues: unread } = scanUrl(url, names);
  const strays = Object.keys(query).map((name): Issue => {
    return { pointer: `/${name}`, code: 'INVALID_QUERY', detail: 'Send the parameters in the body, not in the URL.' };
  });
  if (strays.length + unread.length > 0) throw faults('INVALID_QUERY', [...strays, ...unread]);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw fault('VALIDATION_ERROR', '', 'The body must be an object of list parameters.');
  }
  const issues: Issue[] = [];
  for (const key of Object.keys(body)) {
    if (areEnough(issues)) break;
    if (names.some((name) => name === key)) continue;
    const known = Object.hasOwn(misnamed, key) ? misnamed[key] : closest(key.slice(0, 100), [...names]);
    const detail = `Unknown parameter; did you mean \`${known}\`?`;
    issues.push({ pointer: `/${escapePointer(key)}`, code: 'VALIDATION_ERROR', detail });
  }
  if (issues.length > 0) throw faults('VALIDATION_ERROR', issues);
  return { values: body as Partial<Record<Name, unknown>>, issues: [] };
}
