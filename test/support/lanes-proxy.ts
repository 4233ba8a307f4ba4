import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { differenceOf } from './lane-difference.ts';
import { type Lane, lanesOf, type WireAnswer, type WireRequest } from './lanes.ts';
import { holdBack } from './sent-once.ts';

export interface LanesProxy {
  /** Where it listens, without a slash at the end. */
  url: string;
  /** @throws Error that tells what differed, also where no test looked at the answer */
  close(): Promise<void>;
}

/**
 * Stands in front of a service and asks for each query in every way there is, one after the other. The first answer is
 * the test's; where another one differs, the test gets status 599 and the difference. All else passes through.
 *
 * @param trusted the documents that the service trusts, by id
 */
export async function startLanesProxy(
  target: string,
  trusted: ReadonlyMap<string, string> = new Map(),
): Promise<LanesProxy> {
  const { hostname, port } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  const differences: string[] = [];

  async function send({ method, path, headers, body }: WireRequest): Promise<WireAnswer> {
    const outgoing = request({ agent, hostname, port, method, path, headers, setHost: false });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    // a service that has answered need not read the rest
    outgoing.on('error', () => undefined);
    return { status: incoming.statusCode as number, headers: incoming.rawHeaders, body: await buffer(incoming) };
  }

  async function compare(lanes: Lane[], first: WireAnswer): Promise<void> {
    for (const lane of lanes) {
      const difference = differenceOf(lane, await send(lane.request), first);
      if (difference === null) continue;
      differences.push(`${lane.request.body.toString() || lane.request.path}\n${lane.name}: ${difference}`);
      throw new Error(differences.at(-1));
    }
  }

  async function answer(incoming: IncomingMessage): Promise<WireAnswer> {
    const { method = '', url: path = '', rawHeaders: headers } = incoming;
    const asked: WireRequest = { method, path, headers, body: await buffer(incoming) };
    const [start, ...others] = lanesOf(asked, trusted) ?? [];
    const first = await send(start?.request ?? asked);
    const rest = () => compare(others, first);
    if (others.length > 0 && !holdBack(rest)) await rest();
    return first;
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await answer(incoming).catch(refusal);
    response.writeHead(status, headers);
    response.end(body);
  }

  const server = createServer({ maxHeaderSize: 64 * 1024 }, serve);
  server.listen(0, hostname);
  await once(server, 'listening');
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      if (differences.length > 0) throw new Error(`Lanes differ.\n${differences.join('\n')}`);
    },
  };
}

/** JSON, since tests read their answers before they look at them. */
function refusal(error: Error): WireAnswer {
  const body = Buffer.from(JSON.stringify({ errors: [{ message: error.message, extensions: { code: 'LANES' } }] }));
  return { status: 599, headers: ['content-type', 'application/json', 'content-length', String(body.length)], body };
}
