import { expect, it } from 'vitest';
import { NetworkShares } from '../../src/http/network-shares.ts';

/** How many of as many connections are let in, from these addresses by turns. */
function admitted(shares: NetworkShares, address: (index: number) => string): number {
  return Array.from({ length: 100 }, (_, index) => shares.take(address(index))).filter(Boolean).length;
}

it('an address of IPv4 has its share, however it is written', () => {
  const shares = new NetworkShares(10);
  expect(admitted(shares, (index) => (index % 2 ? '192.0.2.1' : '::ffff:192.0.2.1'))).toBe(10);
  expect(admitted(shares, () => '192.0.2.2')).toBe(10);
});

it('a /64 of IPv6 has its share, and what is around it somewhat more', () => {
  const shares = new NetworkShares(10);
  expect(admitted(shares, (index) => `2001:db8:0:1::${index}`)).toBe(10);
  expect(admitted(shares, (index) => `2001:db8:0:${index.toString(16)}::1`)).toBe(5);
  expect(admitted(shares, (index) => `2001:db8:0:${index.toString(16)}00::1`)).toBe(5);
  expect(admitted(shares, () => '2001:db8:1::1')).toBe(10);
});

it('a connection that is closed makes room again', () => {
  const shares = new NetworkShares(1);
  const giveBack = shares.take('2001:db8::1');
  expect(shares.take('2001:db8::2')).toBeNull();
  giveBack?.();
  expect(shares.take('2001:db8::2')).not.toBeNull();
});
