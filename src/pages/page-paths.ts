/** Pages behind the links in mails to guests, which send forms to themselves. */
export const guestPaths = { confirm: '/confirm-subscription', own: '/my-subscription' } as const;

/** Whether people read what is at a path, whatever happens there: errors are pages, too. */
export function isPage(path: string): boolean {
  if (path === guestPaths.confirm || path === guestPaths.own) return true;
  return path === '/o' || (path.startsWith('/o/') && !path.endsWith('.ics'));
}

/** The pages to which forms with answers are sent, so that their bodies may have 1 MiB. */
export const formPaths: readonly string[] = [...Object.values(guestPaths), '/o/{organization}/{event}'];
