import { expect, it } from 'vitest';
import { NetworkShares } from '../src/network-shares.ts';

/** An address is `site.building.floor`, and each part is a network. */
const networksOf = (ip: string) => [ip, ip.split('.').slice(0, 2).join('.'), ip.split('.')[0] ?? ''];

/** How many of 100 connections are let in, from these addresses by turns. */
function admitted(shares: NetworkShares, address: (index: number) => string): number {
  return Array.from({ length: 100 }, (_, index) => shares.take(address(index))).filter(Boolean).length;
}

it('a network has its share, and the networks around it somewhat more', () => {
  const shares = new NetworkShares(10, networksOf);
  expect(admitted(shares, () => '1.1.1')).toBe(10);
  expect(admitted(shares, (index) => `1.1.${index}`)).toBe(5);
  expect(admitted(shares, (index) => `1.${index}.1`)).toBe(5);
  expect(admitted(shares, () => '2.1.1')).toBe(10);
});

it('a connection that is closed makes room again', () => {
  const shares = new NetworkShares(1, networksOf);
  const giveBack = shares.take('1.1.1');
  expect(shares.take('1.1.1')).toBeNull();
  giveBack?.();
  expect(shares.take('1.1.1')).not.toBeNull();
});
