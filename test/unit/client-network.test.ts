import { expect, test } from 'vitest';
import { clientNetwork } from '../../src/domain/limits/client-network.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1::8:7:6:5:4', '1:0:0:8::/64'],
  [null, 'unknown'],
  ['not an address', 'not an address'],
])('clientNetwork counts %s as %s', (ip, network) => {
  expect(clientNetwork(ip)).toBe(network);
});
