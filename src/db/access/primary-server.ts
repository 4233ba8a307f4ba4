import { postgresServers } from '../../kernel/network/postgres-servers.ts';

/**
 * Finds the primary among servers of which a standby may be promoted. Every connection of the process that is opened by the same
 * URL goes to the server that was last known to be it, and the first that does not get there makes the next one try another.
 */
export class PrimaryServer {
  readonly #urls: readonly [string, ...string[]];
  #current: string;
  /** Whether a standby will not do. */
  readonly required: boolean;

  constructor(url: string) {
    const { urls, attributes } = postgresServers(url);
    this.#urls = urls;
    [this.#current] = urls;
    this.required = attributes !== null;
  }

  /** The URL of the server that new connections go to. */
  get url(): string {
    return this.#current;
  }

  /** Has new connections go elsewhere, unless they do already. */
  leave(url: string): void {
    if (url !== this.#current) return;
    this.#current = this.#urls[(this.#urls.indexOf(url) + 1) % this.#urls.length] ?? url;
  }
}

const known = new Map<string, PrimaryServer>();

/** The primary of a URL with several servers, or one that must be a primary; null for any other URL. */
export function primaryServer(url: string): PrimaryServer | null {
  const { urls, attributes } = postgresServers(url);
  if (urls.length === 1 && attributes === null) return null;
  const found = known.get(url) ?? new PrimaryServer(url);
  known.set(url, found);
  return found;
}
