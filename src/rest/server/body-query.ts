import { isRecord } from '#input-values';
import type { ListResource } from '../../engine/list/resource.ts';
import { areEnough, escapePointer, fault, faults, type Issue } from '../../kernel/errors.ts';
import { filterInstead, type RawParameters, unknownParameter } from './url-query.ts';

/** @throws DomainError VALIDATION_ERROR for a body that is not an object or has an unknown key */
export function readBodyParameters<Name extends string>(
  body: unknown,
  names: readonly Name[],
  filters?: ListResource,
): RawParameters<Name> {
  if (!isRecord(body)) {
    throw fault('VALIDATION_ERROR', '', 'The body must be an object of list parameters.');
  }
  const issues: Issue[] = [];
  for (const [key, value] of Object.entries(body)) {
    if (areEnough(issues)) break;
    if (names.some((name) => name === key)) continue;
    const filter = filters && filterInstead(filters, key, value);
    const detail = filter ? `Unknown parameter; write \`"where":${filter}\`.` : unknownParameter(key, names);
    issues.push({ pointer: `/${escapePointer(key)}`, code: 'VALIDATION_ERROR', detail });
  }
  if (issues.length > 0) throw faults('VALIDATION_ERROR', issues);
  return { values: body as Partial<Record<Name, unknown>>, issues: [] };
}
