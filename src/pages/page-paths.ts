/** Pages behind the links in mails to guests, which send forms to themselves. */
export const guestPaths = { confirm: '/confirm-subscription', own: '/my-subscription' } as const;

/** The list of an organization's public events, or one of these, below the URL of the service. */
export function publicPath(organization: string, event?: string): string {
  const list = `/o/${encodeURIComponent(organization)}`;
  return event === undefined ? list : `${list}/${encodeURIComponent(event)}`;
}

/** Whether a path is for people, who get errors as pages too. */
export function isPage(path: string): boolean {
  if (path === guestPaths.confirm || path === guestPaths.own) return true;
  if (path === '/errors' || path.startsWith('/errors/')) return true;
  return path === '/o' || (path.startsWith('/o/') && !path.endsWith('.ics'));
}

/** The pages that receive forms with answers, so that their bodies may have up to 1 MiB. */
export const formPaths: readonly string[] = [...Object.values(guestPaths), '/o/{organization}/{event}'];
