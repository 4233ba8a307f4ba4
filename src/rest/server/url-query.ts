import { distance } from 'fastest-levenshtein';
import { didYouMean, nearestName } from '#input-values';
import { filterOf, type ListResource } from '../../engine/list/resource.ts';
import { areEnough, escapePointer, type Issue } from '../../kernel/errors.ts';

/** What our parameters are called in other APIs. */
const misnamed: Readonly<Record<string, string>> = {
  after: 'token',
  before: 'token',
  cursor: 'token',
  page: 'token',
  offset: 'token',
  skip: 'token',
  first: 'limit',
  last: 'limit',
};

/** Longer names are not misspelt fields. */
const longestMisspelt = 40;

export interface RawParameters<Name extends string> {
  values: Partial<Record<Name, unknown>>;
  /** Syntax issues, reported together with those of the values. */
  issues: Issue[];
}

export interface KnownParameters {
  names: readonly string[];
  /** What `where` filters, if it is one of them. */
  filters?: ListResource | undefined;
}

/** Reports parameters that are unknown, repeated or have brackets: a list without its filter is worse than an error. */
export function scanUrl(url: string, { names, filters }: KnownParameters): RawParameters<string> {
  const start = url.indexOf('?');
  const values: Record<string, string> = {};
  const found = new Set<string>();
  const issues: Issue[] = [];
  const refuse = (name: string, detail: string) =>
    issues.push({ pointer: `/${escapePointer(name)}`, code: 'INVALID_QUERY', detail });
  for (const pair of start < 0 ? [] : url.slice(start + 1).split('&')) {
    if (areEnough(issues)) break;
    if (pair === '') continue;
    const [, given = '', rest = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const key = decode(given);
    // `where[status]` and `where.status` are how some libraries write a filter
    const name = key?.replace(/(?<=.)[[.].*$/s, '') ?? given;
    const isKnown = names.includes(name);
    const isRepeated = found.has(name);
    found.add(name);
    if (key === null) refuse(name, 'The name is not percent-encoded UTF-8.');
    else if (!isKnown && !isRepeated) {
      const filter = filters && filterInstead(filters, nearestField(filters, name, names), decode(rest));
      refuse(name, filter ? `Unknown parameter; write \`where=${filter}\`.` : unknownParameter(name, names));
    } else if (isKnown && name !== key) refuse(name, `\`${name}\` takes one value, without brackets.`);
    else if (isKnown && isRepeated) refuse(name, `\`${name}\` can be given only once.`);
    else if (isKnown) {
      const value = decode(rest);
      if (value !== null) values[name] = value;
      // an invalid `limit` is never an error
      else if (name !== 'limit') refuse(name, `\`${name}\` is not percent-encoded UTF-8.`);
    }
  }
  return { values, issues };
}

export function unknownParameter(name: string, names: readonly string[]): string {
  if (names.length === 0) return 'This operation takes no parameters in its URL.';
  const meant = Object.hasOwn(misnamed, name) ? misnamed[name] : undefined;
  return `Unknown parameter${didYouMean(name, meant && names.includes(meant) ? [meant] : names)}`;
}

/** The field nearest to a misspelt name, unless a parameter is as near; otherwise the name. */
function nearestField({ fields, filters }: ListResource, name: string, parameters: readonly string[]): string {
  if (name.length > longestMisspelt || Object.hasOwn(misnamed, name)) return name;
  const nearest = nearestName(name, [...parameters, ...Object.keys({ ...fields, ...filters })]);
  return parameters.includes(nearest) || distance(name, nearest) > name.length / 3 ? name : nearest;
}

/** What a parameter named like a field was meant to filter; null if lists have no such filter. */
export function filterInstead(resource: ListResource, name: string, value: unknown): string | null {
  const definition = Object.hasOwn({ ...resource.fields, ...resource.filters }, name) && filterOf(resource, name);
  if (!definition || !(definition.operators || definition.contains)) return null;
  const isJson =
    (definition.type === 'integer' && /^-?\d{1,10}$/.test(String(value))) ||
    (definition.type === 'boolean' && /^(true|false)$/.test(String(value)));
  const filter = JSON.stringify({ [name]: isJson ? JSON.parse(String(value)) : value });
  return filter.length > 200 ? JSON.stringify({ [name]: '…' }) : filter;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
