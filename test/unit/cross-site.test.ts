import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { TokenCookie } from '../../src/rest/server/cookie.ts';
import { refuseCrossSite } from '../../src/rest/server/cross-site.ts';

const origins = {
  own: 'https://events.example',
  trusts: (origin: string) => new Set(['https://app.partner.example']).has(origin),
};

/** The verdict on a request with these headers; a list is a doubled header. */
function verdict(headers: Record<string, string | string[]>, protocol = 'http'): 'passes' | 'refused' {
  const given = Object.entries({ host: '127.0.0.1:3000', ...headers });
  const headersDistinct = Object.fromEntries(given.map(([name, value]) => [name, [value].flat()]));
  try {
    refuseCrossSite({ headersDistinct, protocol } as unknown as Request, origins);
    return 'passes';
  } catch (error) {
    expect(error).toMatchObject({ code: 'CROSS_SITE' });
    return 'refused';
  }
}

describe('refuseCrossSite', () => {
  it.each<[string, Record<string, string | string[]>]>([
    ['neither header, as of a server-side client', {}],
    ['our public origin', { origin: 'https://events.example' }],
    ['our public origin in capitals', { origin: 'HTTPS://EVENTS.EXAMPLE' }],
    ['an origin of the CORS list', { origin: 'https://app.partner.example', 'sec-fetch-site': 'cross-site' }],
    ['the host that the request addresses', { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' }],
    ['another host that the request addresses', { origin: 'http://localhost:8080', host: 'localhost:8080' }],
    ['that host behind a proxy that ends TLS', { origin: 'https://inner.example', host: 'inner.example' }],
    ['Sec-Fetch-Site same-origin alone', { 'sec-fetch-site': 'same-origin' }],
    ['Sec-Fetch-Site none: the user typed it', { 'sec-fetch-site': 'none' }],
  ])('passes %s', (_name, headers) => {
    expect(verdict(headers)).toBe('passes');
  });

  it.each<[string, Record<string, string | string[]>]>([
    ['another origin', { origin: 'https://attacker.example' }],
    [
      'another origin that claims to be the same',
      { origin: 'https://attacker.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['our public origin from another site', { origin: 'https://events.example', 'sec-fetch-site': 'cross-site' }],
    ['a subdomain', { origin: 'https://x.events.example' }],
    ['a longer name', { origin: 'https://events.example.attacker.example' }],
    ['another scheme', { origin: 'http://events.example' }],
    ['another port', { origin: 'https://events.example:8443' }],
    ['another port of the same host', { origin: 'http://127.0.0.1:3001' }],
    ['null', { origin: 'null' }],
    ['null from the same origin', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['an empty origin', { origin: '' }],
    ['no URL', { origin: 'events.example' }],
    ['an origin with a path', { origin: 'https://events.example/' }],
    ['an origin with a user', { origin: 'https://a@events.example' }],
    ['an extension', { origin: 'chrome-extension://abcdef' }],
    ['a file', { origin: 'file://' }],
    ['two origins', { origin: ['https://events.example', 'https://attacker.example'] }],
    ['our own origin twice', { origin: ['https://events.example', 'https://events.example'] }],
    ['two in one', { origin: 'https://events.example https://attacker.example' }],
    ['two hosts', { origin: 'http://localhost:1', host: ['localhost:1', 'localhost:2'] }],
    ['a host that is no host', { origin: 'http://localhost', host: 'localhost/x' }],
    ['Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }],
    ['an unknown Sec-Fetch-Site', { 'sec-fetch-site': 'whatever' }],
    ['a doubled Sec-Fetch-Site', { 'sec-fetch-site': ['none', 'cross-site'] }],
  ])('refuses %s', (_name, headers) => {
    expect(verdict(headers)).toBe('refused');
  });

  it('refuses an http page of the host if we are reached by https', () => {
    const headers = { origin: 'http://inner.example', host: 'inner.example' };
    expect(verdict(headers, 'https')).toBe('refused');
    expect(verdict(headers, 'http')).toBe('passes');
  });
});

/** What `write` or `clear` sends as Set-Cookie. */
function written(act: (response: Response) => void): string {
  const lines: string[] = [];
  act({ append: (name: string, value: string) => lines.push(`${name}: ${value}`) } as unknown as Response);
  expect(lines).toHaveLength(1);
  return lines[0] as string;
}

describe('TokenCookie', () => {
  it.each([
    ['https://events.example/api', '/api/auth'],
    ['https://events.example/a%20b/c/', '/a%20b/c/auth'],
  ])('has below %s the path that a browser sees, also when it is cleared', (url, path) => {
    const below = new TokenCookie({ secrets: () => ['new', 'old'], publicUrl: url });
    expect(written((response) => below.write(response, 'value'))).toContain(`; Path=${path}; HttpOnly; Secure; `);
    expect(written((response) => below.clear(response))).toBe(
      `set-cookie: token=; Max-Age=0; Path=${path}; HttpOnly; Secure; SameSite=Lax`,
    );
  });
});
