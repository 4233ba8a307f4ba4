/** The addresses of an organization's pages. */
export class Addresses {
  readonly #publicUrl: string;
  /** The path below which clients reach the service; empty for most. */
  readonly #base: string;

  /** @param publicUrl without a slash at the end */
  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
    this.#base = new URL(publicUrl).pathname.replace(/\/$/, '');
  }

  /** Including the host, for links from other sites. */
  full(organization: string, event?: string): string {
    return this.#publicUrl + pathOf(organization, event);
  }

  /** Without the host, since the client may have used another name of the service. */
  path(organization: string, event?: string): string {
    return this.#base + pathOf(organization, event);
  }
}

/** The list of an organization's public events, below the path of the service. */
export function organizationPath(organization: string): string {
  return `/o/${encodeURIComponent(organization)}`;
}

function pathOf(organization: string, event: string | undefined): string {
  const list = organizationPath(organization);
  return event === undefined ? list : `${list}/${encodeURIComponent(event)}`;
}
