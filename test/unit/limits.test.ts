import { expect, it, test } from 'vitest';
import { DomainError } from '../../src/kernel/errors.ts';
import { clientAddress, clientNetwork } from '../../src/kernel/limits/client-network.ts';
import { refusalOf, rules } from '../../src/kernel/limits/rules.ts';

const noAddresses = [
  '',
  ...'unknown _hidden 203.0.113 203.0.113.256 203.0.113.9: 203.0.113.9:x [203.0.113.9 []:1'.split(' '),
];

test.each<[string | undefined, string | null]>([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:51234', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
  ['2001:DB8:0001:0:0::6', '2001:db8:1::6'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:51234', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  [undefined, null],
  ...noAddresses.map((each): [string, null] => [each, null]),
])('clientAddress reads %j as %j', (given, address) => {
  expect(clientAddress(given)).toBe(address);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:51234', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::6', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::6]:80', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1::8:7:6:5:4', '1:0:0:8::/64'],
  [null, 'unknown'],
  ['not an address', 'unknown'],
  ['another one', 'unknown'],
])('clientNetwork counts %s as %s', (ip, network) => {
  expect(clientNetwork(ip)).toBe(network);
});

it('a refusal by a limit says in its detail when to retry', () => {
  const detailOf = (retryAfter: number) => new DomainError('RATE_LIMITED', { detail: 'Too many.', retryAfter }).detail;
  expect(detailOf(0.2)).toBe('Too many. Retry in 1 second.');
  expect(detailOf(58.1)).toBe('Too many. Retry in 59 seconds.');
  expect(new DomainError('RATE_LIMITED', { retryAfter: 2 }).message).toBe('Too many requests. Retry in 2 seconds.');
  expect(new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 2 }).detail).toBeUndefined();
});

it('every rule says what it counts', () => {
  expect(refusalOf('write')).toBe('At most 300 writes of one user a minute.');
  expect(refusalOf('login_account')).toBe('At most 10 failed sign-ins of one account in 15 minutes.');
  expect(refusalOf('mailbox')).toBe('At most 3 mails to one mailbox an hour.');
  for (const rule of Object.keys(rules) as (keyof typeof rules)[])
    expect(refusalOf(rule)).toMatch(/^At most \d+ [a-z][A-Za-z ,-]+ (a minute|an hour|a day|in \d+ (minutes|days))\.$/);
});
