import { apiDiff } from 'api-smart-diff';
import type { Break } from './break.ts';

export type Json = { [key: string]: unknown };

/** What breaks for clients of REST between two OpenAPI documents, each break once. */
export function restBreaks(before: Json, after: Json): Break[] {
  const found = new Map<string, Break>();
  for (const change of apiDiff(before, after)) {
    // what `components` contain is compared where an operation uses it, since a request and a response break differently
    if (change.path[0] !== 'paths' || !(change.type === 'breaking' || breaksResponse(change))) continue;
    const removal = change.action === 'remove';
    const place = placeOf(removal || change.action === 'replace' ? before : after, change.path);
    const what = change.description || `${change.action} ${change.path.join('/')}`;
    const { name, field } = place;
    found.set(`${name} ${change.action}`, { face: 'REST', name, field, what, removal, sunset: place.sunset });
  }
  return [...found.values()];
}

/** The library takes a response for narrowed if it loses a property, or has values of further types: clients do not. */
function breaksResponse({ action, path, before, after }: ReturnType<typeof apiDiff>[number]): boolean {
  if (!path.includes('responses')) return false;
  if (action === 'remove') return path.at(-2) === 'properties';
  const types = (value: unknown): unknown[] => [value].flat();
  return action === 'replace' && path.at(-1) === 'type' && !types(after).every((type) => types(before).includes(type));
}

interface Place {
  /** Such as `GET /events`, `Event.location` or `EventInput.form.title`. */
  name: string;
  /** The property of a named schema, such as `Event.location`, if it is one. */
  field: string | null;
  /** The last day on which what stands there is served, if it is deprecated. */
  sunset: string | null;
}

/** Names a place as a reader of the document does: by the last named schema on the way, or else by the operation. */
function placeOf(document: Json, path: readonly (string | number)[]): Place {
  let value: unknown = document;
  let name = '';
  let field: string | null = null;
  let sunset: string | null = null;
  path.forEach((key, index) => {
    value = (value as Json | undefined)?.[key];
    if (index === 1) name = `${key}`;
    if (index === 2) name = `${`${key}`.toUpperCase()} ${name}`;
    if (path[index - 1] === 'parameters') name += `?${resolve(document, value).name}`;
    if (path[index - 1] === 'properties') {
      field = /^\w+$/.test(name) ? `${name}.${key}` : null;
      name += `.${key}`;
    }
    const reference = (value as Json | undefined)?.$ref;
    if (typeof reference === 'string' && reference.includes('/schemas/')) name = reference.split('/').at(-1) as string;
    value = resolve(document, value);
    const own = (value as Json | undefined)?.['x-sunset'];
    if (typeof own === 'string' && index === path.length - 1) sunset = own;
  });
  return { name, field, sunset };
}

function resolve(document: Json, value: unknown): Json {
  const reference = (value as Json | undefined)?.$ref;
  if (typeof reference !== 'string') return value as Json;
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((from, key) => (from as Json | undefined)?.[key], document) as Json;
}
