import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Crowd } from './crowd.ts';
import { headersOf } from './tokens.ts';

/** Receivers of webhooks: what each got, in the order of the first arrivals. */
export interface Hooks {
  /** The changes that a live webhook got, by organization. */
  got: Map<string, Set<string>>;
  /** Deliveries that came again. */
  repeated(): number;
  close(): void;
}

/** Creates a webhook for each crowd, the first `dead` of which lead to where nothing listens. */
export async function createHooks(url: string, crowds: Crowd[], dead: number): Promise<Hooks> {
  const got = new Map(crowds.slice(dead).map(({ organization }) => [organization, new Set<string>()]));
  let repeated = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const seen = got.get((request.url ?? '').slice(1));
      const id = request.headers['webhook-id'] as string;
      if (seen?.has(id)) repeated += 1;
      seen?.add(id);
      response.writeHead(204).end();
    });
  });
  const listen = async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const closed = await listen();
  server.close();
  await once(server, 'close');
  const alive = await listen();
  for (const [index, { organization, owner }] of crowds.entries()) {
    const headers = { ...(await headersOf(owner, organization)), 'content-type': 'application/json' };
    const target = `${index < dead ? closed : alive}/${organization}`;
    const answer = await fetch(`${url}/webhooks`, { method: 'POST', headers, body: JSON.stringify({ url: target }) });
    if (!answer.ok) throw new Error(`A webhook was refused: ${await answer.text()}`);
  }
  return { got, repeated: () => repeated, close: () => server.close() };
}
