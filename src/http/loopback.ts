import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a host, of a URL or to listen on, is a loopback name or address. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  // also recognizes IPv4-mapped IPv6 addresses
  const version = isIP(bare);
  return version === 0 ? bare.toLowerCase() === 'localhost' : loopback.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}

/** Behind a proxy, every client has the proxy's address. */
const addedByProxies = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Whether a request comes from this machine. The `Host` is checked against DNS rebinding by pages of other sites. */
export function isLocalRequest({ socket, headers }: IncomingMessage): boolean {
  const host = (headers.host ?? '').replace(/:\d*$/, '');
  return (
    isLoopbackHost(host) &&
    isLoopbackHost(socket.remoteAddress ?? '') &&
    addedByProxies.every((name) => headers[name] === undefined)
  );
}
