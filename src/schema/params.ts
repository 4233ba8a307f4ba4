import { DomainError, escapePointer, fault, faults, type Issue } from '../domain/errors.ts';

/** The parameters of a request by the GraphQL-over-HTTP specification. */
export interface GraphqlParams {
  query: string;
  operationName: string | undefined;
  variables: Record<string, unknown> | undefined;
}

const names = ['query', 'operationName', 'variables', 'extensions'];

/**
 * Reads the parameters of a POST. `extensions` may be there and is not looked at.
 *
 * @throws DomainError INVALID_QUERY for a batch; VALIDATION_ERROR with the pointer of each parameter at fault
 */
export function bodyParams(body: unknown): GraphqlParams {
  if (Array.isArray(body)) throw fault('INVALID_QUERY', '', 'One operation a request; batches are not supported.');
  if (!isObject(body)) throw fault('VALIDATION_ERROR', '', 'The body is an object with `query`.');
  const { query, operationName = null, variables = null, extensions = null } = body;
  const issues: Issue[] = [];
  const refuse = (name: string, detail: string) =>
    issues.push({ pointer: `/${escapePointer(name)}`, code: 'VALIDATION_ERROR', detail });
  if (typeof query !== 'string') refuse('query', 'A string with a GraphQL document is expected.');
  if (operationName !== null && typeof operationName !== 'string') refuse('operationName', 'A string is expected.');
  if (variables !== null && !isObject(variables)) refuse('variables', 'An object is expected.');
  if (extensions !== null && !isObject(extensions)) refuse('extensions', 'An object is expected.');
  for (const name of Object.keys(body)) if (!names.includes(name)) refuse(name, 'This field is not documented.');
  if (issues.length > 0) throw faults('VALIDATION_ERROR', issues);
  return { query, operationName: operationName ?? undefined, variables: variables ?? undefined } as GraphqlParams;
}

/**
 * Reads the parameters of a GET: the same ones, objects as JSON.
 *
 * @throws DomainError INVALID_JSON, VALIDATION_ERROR
 */
export function urlParams(url: string): GraphqlParams {
  const search = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
  const body: Record<string, unknown> = {};
  for (const name of names) {
    const [text, ...others] = search.getAll(name);
    if (others.length > 0) throw fault('VALIDATION_ERROR', `/${name}`, 'This parameter can be given once.');
    if (text) body[name] = name === 'variables' || name === 'extensions' ? parseJson(text, name) : text;
  }
  return bodyParams(body);
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('INVALID_JSON', { detail: `The parameter \`${name}\` is not valid JSON.` });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
