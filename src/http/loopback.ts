import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether a host, of a URL or to listen on, is a loopback name or address. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return isIP(bare) === 0 ? bare === 'localhost' : ipaddr.process(bare).range() === 'loopback';
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
