import type { Request } from 'express';

export const guestPaths = { confirm: '/confirm-subscription', own: '/my-subscription' } as const;

/** Whether errors are pages, too, since the path is for people. */
export function isPage(path: string): boolean {
  if (path === guestPaths.confirm || path === guestPaths.own) return true;
  if (path === '/errors' || path.startsWith('/errors/')) return true;
  return path === '/o' || (path.startsWith('/o/') && !path.endsWith('.ics'));
}

/** Their bodies may have up to 1 MiB, since forms contain answers. */
export const formPaths: readonly string[] = [...Object.values(guestPaths), '/o/{organization}/{event}'];

export function parametersOf({ originalUrl }: Request): URLSearchParams {
  return new URLSearchParams(originalUrl.split('?').slice(1).join('?'));
}
