import { restId } from './values.ts';

export type Params = Readonly<Record<string, string>>;

/** Empty if the page has not looked the id up yet. */
export function idParam(parameter: string, id: unknown): Params {
  return typeof id === 'string' && !id.startsWith('<') ? { [parameter]: String(restId(id)) } : {};
}

export function fillPath(path: string, params: Params): string {
  return path.replaceAll(/\{(\w+)\}/g, (open, name: string) =>
    params[name] === undefined ? open : encodeURIComponent(params[name]),
  );
}

export function openParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([open, name]) => `${open}: the REST id (databaseId) of the ${name}.`);
}
