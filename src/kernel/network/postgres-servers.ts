/** The servers in a URL like `postgres://user@a:5432,b:5432/name?target_session_attrs=read-write`. */
export interface PostgresServers {
  /** A URL of each server. */
  urls: [string, ...string[]];
  /** Which of them will do, as for libpq; null for any. */
  attributes: string | null;
}

/** Reads a libpq URL, which is not a URL by the standard if it has several hosts. */
export function postgresServers(url: string): PostgresServers {
  const [, scheme = '', authority = '', rest = ''] = /^(\w+:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? ['', '', '', url];
  const hosts = authority.lastIndexOf('@') + 1;
  const [first = '', ...others] = authority
    .slice(hosts)
    .split(',')
    .map((host) => `${scheme}${authority.slice(0, hosts)}${host}${rest}`);
  const attributes = /[?&]target_session_attrs=([^&#]*)/.exec(rest)?.[1] ?? null;
  return { urls: [first, ...others], attributes };
}
