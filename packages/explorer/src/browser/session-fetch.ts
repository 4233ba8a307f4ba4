import type { BrowserSession } from './session.ts';

/**
 * `fetch` with the identity of the session, for requests to the service. Headers that are empty, since nobody filled
 * them in, are left out.
 */
export function sessionFetch(session: BrowserSession, base: URL): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(base.href)) return await fetch(request);
    const headers = new Headers(request.headers);
    for (const [name, value] of request.headers) {
      if (value.trim() === '' || (name === 'authorization' && !/^\S+ +\S/.test(value))) headers.delete(name);
    }
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    const body = hasBody ? await request.arrayBuffer() : null;
    return await session.fetch(request.url, { method: request.method, headers, body, signal: request.signal });
  };
}
