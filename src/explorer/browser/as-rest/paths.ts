import { restId } from './values.ts';

/** The known parameters of a path. */
export type Params = Readonly<Record<string, string>>;

/** The parameter with the id in an operation; none if the page has not looked the id up yet. */
export function idParam(parameter: string, id: unknown): Params {
  return typeof id === 'string' && !id.startsWith('<') ? { [parameter]: String(restId(id)) } : {};
}

/** The path with the known parameters filled in. */
export function fillPath(path: string, params: Params): string {
  return path.replaceAll(/\{(\w+)\}/g, (open, name: string) =>
    params[name] === undefined ? open : encodeURIComponent(params[name]),
  );
}

/** Explains the parameters that the operation does not give. */
export function openParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([open, name]) => `${open}: the REST id (databaseId) of the ${name}.`);
}
