import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { TrustedProxies } from '../src/trusted-proxies.ts';

const clientOf = (setting: boolean | number | string[], remoteAddress?: string, chain?: string) =>
  new TrustedProxies(setting).clientOf({
    socket: { remoteAddress },
    headers: { 'x-forwarded-for': chain },
  } as unknown as IncomingMessage);

const chain = '1.1.1.1,  192.0.2.1 ,10.0.0.1,127.0.0.1';

it.each<[boolean | number | string[], string, string]>([
  [false, '127.0.0.1', '127.0.0.1'],
  [true, '127.0.0.1', '1.1.1.1'],
  [1, '127.0.0.1', '127.0.0.1'],
  [2, '127.0.0.1', '10.0.0.1'],
  [['loopback'], '127.0.0.1', '10.0.0.1'],
  [['loopback'], '::ffff:127.0.0.1', '10.0.0.1'],
  [['loopback'], '198.51.100.1', '198.51.100.1'],
  [['loopback', '10.0.0.0/8'], '127.0.0.1', '192.0.2.1'],
])('with %j the client behind %s is %s', (setting, peer, client) => {
  expect(clientOf(setting, peer, chain)).toBe(client);
});

it('a client without a proxy is the peer', () => {
  expect(clientOf(['loopback'], '2001:db8::9', '')).toBe('2001:db8::9');
});

it('a connection that was gone before it was looked at has no address', () => {
  expect(clientOf(true)).toBeUndefined();
});
