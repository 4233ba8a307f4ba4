import { describe, expect, it } from 'vitest';
import { AllowedTargets, createEndpointClient, entryThatAllows, isPublicAddress, targetFault } from '../src/index.ts';
import { refusedHosts } from './refused-hosts.ts';

const nothing = new AllowedTargets();

it.each([
  ['http://localhost:3001/hook', 'localhost:3001'],
  ['http://127.0.0.1/hook', '127.0.0.1:80'],
  ['https://[::1]:8443/', '[::1]:8443'],
  ['https://user@localhost/', null],
])('what would allow %s is %s', (url, entry) => {
  expect(entryThatAllows(url)).toBe(entry);
});

describe('a URL', () => {
  it.each(refusedHosts)('is refused if its host is %s', async (host) => {
    const url = `https://${host}/hook`;
    expect(targetFault(url, nothing)).toMatch(/may not be reached|absolute https/);
    // also if it was stored when that was allowed
    const answer = await createEndpointClient({ allowed: nothing })({ url, headers: {}, body: '{}' });
    expect(answer).toMatchObject({ delivered: false, http_status: null, error: 'refused address' });
  });

  it.each([
    'https://example.org/hook',
    'https://example.org:1024/a?b=c',
    'HTTPS://EXAMPLE.org:65535',
    'https://example.org:443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/hook',
    'https://[::ffff:8.8.8.8]/hook',
    'https://example.org?for=me@example.org',
    'https://localhost/a-name-is-checked-when-it-is-dialled',
  ])('may be %s', (url) => {
    expect(targetFault(url, nothing)).toBeNull();
  });

  it.each([
    'http://example.org/hook',
    'ftp://example.org/',
    'https:example.org',
    'https:///example.org/',
    'https:\\\\example.org\\',
    'https://example.org/a b',
    ' https://example.org/',
    '//example.org/',
    'example.org',
    '',
    'https://',
    'https://user@example.org/',
    'https://user:secret@example.org/',
    'https://@example.org/',
    'https://example.org/#part',
    'https://example.org/#',
    'https://example.org:80/',
    'https://example.org:22/',
    'https://example.org:1023/',
    'https://example.org:0/',
    'https://example.org:65536/',
  ])('may not be %s', (url) => {
    expect(targetFault(url, nothing)).not.toBeNull();
  });
});

describe('allowed targets', () => {
  const allowed = new AllowedTargets(['10.0.0.0/8', '192.168.1.7', 'fd00::/8', 'hooks.internal:8080', '[::1]:9000']);

  it.each([
    'http://10.1.2.3/hook',
    'https://10.1.2.3:22/hook',
    'http://0xa.1/hook',
    'http://192.168.1.7:1/',
    'http://[fd00::1]:81/',
    'http://hooks.internal:8080/hook',
    'https://HOOKS.internal:8080/hook',
    'http://[::1]:9000/',
  ])('let requests reach %s', (url) => {
    expect(targetFault(url, allowed)).toBeNull();
  });

  it.each([
    'http://11.1.2.3/hook',
    'http://192.168.1.8/',
    'http://hooks.internal/hook',
    'http://hooks.internal:8081/hook',
    'http://other.internal:8080/hook',
    'http://[::1]:9001/',
    'http://user@10.1.2.3/hook',
  ])('do not let them reach %s', (url) => {
    expect(targetFault(url, allowed)).not.toBeNull();
  });

  it.each([
    '10.0.0.0/33',
    'fd00::/129',
    'localhost',
    'localhost:0',
    'localhost:65536',
    '*',
    '*:443',
    '*.example.org:443',
    'fe80::1%eth0',
    'http://localhost:80',
    'a b:80',
    '/8',
  ])('may not contain %s', (entry) => {
    expect(() => new AllowedTargets(['10.0.0.0/8', entry, entry])).toThrow(/^entries 2, 3 must be a network/);
    expect(() => new AllowedTargets([entry])).toThrow(/^must be a network/);
  });
});

describe('addresses of the public internet', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
    'include %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each(['fe80::1%eth0', '2606:4700::1111%1', 'localhost', '', '8.8.8', '0x7f.1'])('do not include %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
