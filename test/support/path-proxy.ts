import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Starts a reverse proxy that strips `path` from each request and answers 404 to what is not below it.
 *
 * @param refuses whether a request gets 429
 */
export async function startPathProxy(path: string, refuses: (incoming: IncomingMessage) => boolean = () => false) {
  let target: string | null = null;
  const server = createServer((incoming, outgoing) => {
    if (target === null || !incoming.url?.startsWith(`${path}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    if (refuses(incoming)) {
      const problem = { code: 'RATE_LIMITED', title: 'Too many requests.', status: 429 };
      const head = { 'content-type': 'application/problem+json', 'retry-after': '1' };
      outgoing.writeHead(429, head).end(JSON.stringify(problem));
      return;
    }
    const { method, headers } = incoming;
    const passed = request(`${target}${incoming.url.slice(path.length)}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    /** Passes requests on to the service at this URL from now on. */
    serve: (serviceUrl: string) => {
      target = serviceUrl;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
