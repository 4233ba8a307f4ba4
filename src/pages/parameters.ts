import type { Request } from 'express';

/** The parameters in the address of a page. */
export function parametersOf({ originalUrl }: Request): URLSearchParams {
  return new URLSearchParams(originalUrl.split('?').slice(1).join('?'));
}
