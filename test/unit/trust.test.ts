import type { IncomingMessage } from 'node:http';
import express, { type Request } from 'express';
import { expect, it } from 'vitest';
import { addressOf, trustedBy } from '../../src/http/trust.ts';

const peers = ['127.0.0.1', '10.1.2.3', '198.51.100.1', '::ffff:127.0.0.1', 'fd00::1', '2001:db8::9'];
const chains = [
  undefined,
  '',
  '192.0.2.1',
  '192.0.2.1, 10.0.0.1',
  '1.1.1.1,  192.0.2.1 ,10.0.0.1,127.0.0.1',
  '2001:db8::1',
];

it.each([[false], [true], [1], [2], [['loopback']], [['loopback', 'uniquelocal']], [['10.0.0.0/8', '::1']]])(
  'with TRUST_PROXY %j the address of a client is that of Express',
  (setting) => {
    const app = express().set('trust proxy', setting);
    const trust = trustedBy(setting);
    for (const remoteAddress of peers) {
      for (const chain of chains) {
        const headers = chain === undefined ? {} : { 'x-forwarded-for': chain };
        const request = { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
        const expected = Object.setPrototypeOf({ ...request }, app.request) as Request;
        const ip = expected.ip?.replace(/^::ffff:(?=\d+\.)/, '');
        expect([remoteAddress, chain, addressOf(request, trust)]).toEqual([remoteAddress, chain, ip || null]);
      }
    }
  },
);

it('a connection that was gone before it was looked at has none', () => {
  expect(addressOf({ socket: {}, headers: {} } as IncomingMessage, trustedBy(true))).toBeNull();
});
