import type { Request } from 'express';

/** The query parameters of a page's address. */
export function parametersOf({ originalUrl }: Request): URLSearchParams {
  return new URLSearchParams(originalUrl.split('?').slice(1).join('?'));
}
