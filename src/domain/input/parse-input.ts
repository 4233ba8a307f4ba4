import type { ZodError, ZodType } from 'zod';
import { escapePointer, faults, type Issue } from '../errors.ts';

/**
 * Checks what a client sent against its schema; every issue is reported with the pointer of its field.
 *
 * @throws DomainError VALIDATION_ERROR
 */
export function parseInput<T>(schema: ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw faults('VALIDATION_ERROR', validationIssues(result.error));
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
