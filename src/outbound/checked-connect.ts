import { lookup as lookUpAsSystem, Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type AllowedTargets, hostOf, portOf } from '../kernel/network/allowed-targets.ts';
import { isPublicAddress } from '../kernel/network/public-address.ts';

/** The addresses of a host name; an empty list or an error if it has none. */
export type Resolve = (hostname: string) => Promise<string[]>;

export interface CheckOptions {
  allowed: AllowedTargets;
  /** Resolves the names that clients choose; by default through DNS. */
  resolve?: Resolve;
}

/** The connection was refused: by us, because an address is not public, or by the other side. */
export class RefusedAddress extends Error {
  constructor() {
    super('refused address');
  }
}

/**
 * Opens a connection to the host of a URL at addresses that were checked for it; no other ones are dialled. TLS comes on
 * top of that connection: Node.js ignores its own `blockList` over TLS.
 *
 * @param signal closes the connection while it is being opened
 * @throws RefusedAddress if none of them can be reached
 */
export async function connectTo(url: URL, addresses: readonly string[], signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  const host = hostOf(url);
  const socket = await opened(
    connectTcp({ host, port: portOf(url), lookup: fixedLookup(addresses), autoSelectFamily: true, noDelay: true }),
    'connect',
    signal,
  );
  if (url.protocol !== 'https:') return socket;
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const secure = connectTls({
    ...{ socket, host, ...servername, ALPNProtocols: ['http/1.1'] },
    // whatever NODE_TLS_REJECT_UNAUTHORIZED says
    rejectUnauthorized: true,
  });
  return await opened(secure, 'secureConnect', signal);
}

/**
 * The addresses that the host of a URL has at this moment, whatever they were before. One that is refused refuses the
 * host (interface/webhooks.md#addresses).
 *
 * @throws RefusedAddress also if the name has no address, so that nobody learns the names of a private network
 */
export async function checkedAddresses(url: URL, { allowed, resolve = resolveByDns }: CheckOptions): Promise<string[]> {
  const host = hostOf(url);
  if (allowed.allow(url)) return isIP(host) === 0 ? await systemAddresses(host) : [host];
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) throw new RefusedAddress();
  return addresses;
}

/** The names that the operator allowed may come from the hosts file or a search domain. */
async function systemAddresses(host: string): Promise<string[]> {
  const found = await lookUpAsSystem(host, { all: true }).catch(() => []);
  if (found.length === 0) throw new RefusedAddress();
  return found.map(({ address }) => address);
}

/**
 * Asks the name servers, without `getaddrinfo`: that takes a thread of the pool until they answer, and a few names whose
 * servers are silent would keep passwords from being hashed.
 */
async function resolveByDns(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

function fixedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, _options, callback) => callback(null, found);
}

/** The socket once it is open; afterwards its errors belong to whoever uses it. */
async function opened(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  // errors beyond the first one must not end the process
  socket.on('error', () => undefined);
  const closed = once(socket, 'close', { signal }).then(() => {
    throw new Error('The connection was closed.');
  });
  try {
    await Promise.race([once(socket, event, { signal }), closed]);
    return socket;
  } catch (error) {
    socket.destroy();
    throw event === 'connect' && isRefusal(error) ? new RefusedAddress() : error;
  }
}

const refusals = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM']);

/** Whether no address could be reached; several failed attempts come as one error. */
function isRefusal(error: unknown): boolean {
  const all = error instanceof AggregateError ? error.errors : [error];
  return all.every((each) => refusals.has(String((each as { code?: unknown }).code)));
}
