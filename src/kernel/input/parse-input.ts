import type { ZodError, ZodObject, ZodType } from 'zod';
import { didYouMean } from '#input-values';
import { areEnough, escapePointer, faults, type Issue } from '../errors.ts';

/** @throws DomainError VALIDATION_ERROR with every issue */
export function parseInput<T>(schema: ZodType<T>, value: unknown): T {
  const checked = checkInput(schema, value);
  if ('issues' in checked) throw faults('VALIDATION_ERROR', checked.issues);
  return checked.value;
}

/** The value, or its issues; at most one more than `faults` lists. */
export function checkInput<T>(schema: ZodType<T>, value: unknown): { value: T } | { issues: Issue[] } {
  const known: KnownFields = new Map();
  const result = schema.safeParse(value, {
    error: (issue) => {
      // only here an issue has the schema that its keys are unknown to
      if (issue.code === 'unrecognized_keys') known.set(issue.keys, Object.keys((issue.inst as ZodObject).shape));
      return inWords(issue);
    },
  });
  return result.success ? { value: result.data } : { issues: validationIssues(result.error, known) };
}

/** The fields of an object, by the list of its unknown fields. */
type KnownFields = Map<readonly string[], readonly string[]>;

/** In words what zod calls "expected string, received undefined" or "expected one of". */
function inWords(issue: {
  code?: string;
  input?: unknown;
  path?: readonly PropertyKey[];
  expected?: unknown;
  values?: readonly unknown[];
}): string | undefined {
  const { code, input, path = [], expected, values = [] } = issue;
  if (input === undefined && path.length > 0) return 'This field is required.';
  if (code === 'invalid_value' && values.length > 0) return `Must be one of ${values.join(', ')}.`;
  if (code !== 'invalid_type') return undefined;
  if (input === null) return 'Must not be null.';
  return Object.hasOwn(kinds, String(expected)) ? `Must be ${kinds[String(expected)]}.` : undefined;
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function validationIssues(error: ZodError, known: KnownFields): Issue[] {
  const issues: Issue[] = [];
  for (const issue of error.issues) {
    const base = issue.path.map((segment) => `/${escapePointer(String(segment))}`).join('');
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        if (areEnough(issues)) return issues;
        const pointer = `${base}/${escapePointer(key)}`;
        const detail = `Unknown field${didYouMean(key, known.get(issue.keys) ?? [])}`;
        issues.push({ pointer, code: 'VALIDATION_ERROR', detail });
      }
      continue;
    }
    if (areEnough(issues)) return issues;
    const isWeak = issue.code === 'custom' && issue.params?.code === 'WEAK_PASSWORD';
    issues.push({ pointer: base, code: isWeak ? 'WEAK_PASSWORD' : 'VALIDATION_ERROR', detail: issue.message });
  }
  return issues;
}
