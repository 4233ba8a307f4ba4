import type { ZodError, ZodType } from 'zod';
import { escapePointer, faults, type Issue } from '../errors.ts';

/** The most issues that are listed: a response must not be many times the size of its request. */
const maxIssues = 1_000;

/**
 * Checks what a client sent against its schema; every issue is reported with the pointer of its field, up to a
 * number that no honest client reaches.
 *
 * @throws DomainError VALIDATION_ERROR
 */
export function parseInput<T>(schema: ZodType<T>, value: unknown): T {
  const checked = checkInput(schema, value);
  if ('issues' in checked) throw faults('VALIDATION_ERROR', checked.issues);
  return checked.value;
}

/** The value, or its issues. */
export function checkInput<T>(schema: ZodType<T>, value: unknown): { value: T } | { issues: Issue[] } {
  const result = schema.safeParse(value, { error: nameAbsence });
  return result.success ? { value: result.data } : { issues: bounded(validationIssues(result.error)) };
}

function bounded(issues: Issue[]): Issue[] {
  if (issues.length <= maxIssues) return issues;
  const more: Issue = {
    pointer: '',
    code: 'VALIDATION_ERROR',
    detail: `Only the first ${maxIssues} faults are listed.`,
  };
  return [...issues.slice(0, maxIssues), more];
}

/** zod would say that it expected a string and received undefined. */
function nameAbsence({ input, path }: { input?: unknown; path?: readonly PropertyKey[] }): string | undefined {
  return input === undefined && path !== undefined && path.length > 0 ? 'This field is required.' : undefined;
}

function validationIssues(error: ZodError): Issue[] {
  return error.issues.flatMap((issue) => {
    const base = issue.path.map((segment) => `/${escapePointer(String(segment))}`).join('');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        pointer: `${base}/${escapePointer(key)}`,
        code: 'VALIDATION_ERROR' as const,
        detail: 'This field is not documented.',
      }));
    }
    const code =
      issue.code === 'custom' && issue.params?.code === 'WEAK_PASSWORD' ? 'WEAK_PASSWORD' : 'VALIDATION_ERROR';
    return [{ pointer: base, code, detail: issue.message }];
  });
}
