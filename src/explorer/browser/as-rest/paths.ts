import { restId } from './values.ts';

/** What is known of the parameters of a path. */
export type Params = Readonly<Record<string, string>>;

/** The parameter with the id that an operation gives; none if the page has yet to look the id up. */
export function idParam(parameter: string, id: unknown): Params {
  return typeof id === 'string' && !id.startsWith('<') ? { [parameter]: String(restId(id)) } : {};
}

/** The path with the known parameters in it. */
export function fillPath(path: string, params: Params): string {
  return path.replaceAll(/\{(\w+)\}/g, (open, name: string) =>
    params[name] === undefined ? open : encodeURIComponent(params[name]),
  );
}

/** What to put in for the parameters that the operation does not tell. */
export function openParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([open, name]) => `${open}: the REST id (databaseId) of the ${name}.`);
}
