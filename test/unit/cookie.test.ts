import { sign } from 'cookie-signature';
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { TokenCookie } from '../../src/rest/server/cookie.ts';

const publicUrl = 'https://events.example';
const cookie = new TokenCookie({ secrets: () => ['new', 'old'], publicUrl });
const read = (header: string | undefined) => cookie.read({ headers: { cookie: header } } as Request);

/** What `write` or `clear` sends as Set-Cookie. */
function written(act: (response: Response) => void): string {
  const lines: string[] = [];
  act({ append: (name: string, value: string) => lines.push(`${name}: ${value}`) } as unknown as Response);
  expect(lines).toHaveLength(1);
  return lines[0] as string;
}

const signed = (value: string, secret = 'new') => `s:${sign(value, secret)}`;

describe('TokenCookie', () => {
  it('is written with every attribute that keeps it to this service', () => {
    const value = encodeURIComponent(signed('value'));
    const attributes = 'Max-Age=2592000; Path=/auth; HttpOnly; Secure; SameSite=Lax';
    expect(written((response) => cookie.write(response, 'value'))).toBe(`set-cookie: token=${value}; ${attributes}`);
  });

  it('is cleared under the same attributes', () => {
    const attributes = 'Max-Age=0; Path=/auth; HttpOnly; Secure; SameSite=Lax';
    expect(written((response) => cookie.clear(response))).toBe(`set-cookie: token=; ${attributes}`);
  });

  it.each([
    ['https://events.example/api', '/api/auth'],
    ['https://events.example/a%20b/c/', '/a%20b/c/auth'],
  ])('has below %s the path that a browser sees, also when it is cleared', (url, path) => {
    const below = new TokenCookie({ secrets: () => ['new'], publicUrl: url });
    expect(written((response) => below.write(response, 'value'))).toContain(`; Path=${path}; `);
    expect(written((response) => below.clear(response))).toContain(`token=; Max-Age=0; Path=${path}; `);
  });

  it('is not Secure if the public URL is http: a browser would never send it', () => {
    const plain = new TokenCookie({ secrets: () => ['new'], publicUrl: 'http://localhost:3000' });
    expect(written((response) => plain.write(response, 'value'))).not.toContain('Secure');
  });

  it('is read back as it was written, and with the colon bare as some clients send it', () => {
    const line = written((response) => cookie.write(response, 'a+b/c=='));
    const pair = line.slice('set-cookie: '.length).split(';')[0];
    expect(read(pair)).toBe('a+b/c==');
    expect(read(`token=${signed('value')}`)).toBe('value');
    expect(read(`a=b; ${pair}; c=d`)).toBe('a+b/c==');
    expect(read(`a=b;${pair}`)).toBe('a+b/c==');
  });

  it('is read under every secret of the list', () => {
    expect(read(`token=${signed('value', 'old')}`)).toBe('value');
    expect(read(`token=${signed('value', 'foreign')}`)).toBeNull();
  });

  it.each([
    ['there is no header', undefined],
    ['the header is empty', ''],
    ['there are only others', 'a=b; tokens=c; xtoken=d'],
    ['the name is in another case', `Token=${signed('value')}`],
    ['it is empty', 'token='],
    ['it has no value', 'token'],
    ['it is unsigned', 'token=value'],
    ['the prefix is missing', `token=${sign('value', 'new')}`],
    ['the signature is missing', 'token=s:value'],
    ['the signature is empty', 'token=s:value.'],
    ['the signature is cut', `token=${signed('value').slice(0, -1)}`],
    ['the signature is longer', `token=${signed('value')}A`],
    ['the signature is padded', `token=${signed('value')}=`],
    ['the value was changed', `token=${signed('value').replace('value', 'Value')}`],
    ['it is in quotes', `token="${signed('value')}"`],
    ['its percent encoding is broken', 'token=s%3Avalue%E0%A4%A'],
    ['it is encoded twice', `token=${encodeURIComponent(encodeURIComponent(signed('value')))}`],
    ['it is a JSON cookie', 'token=j:{"a":1}'],
    ['it comes twice', `token=${signed('value')}; token=${signed('value')}`],
    ['it comes twice, once unsigned', `token=${signed('value')}; token=x`],
    ['it comes twice, once empty', `token=; token=${signed('value')}`],
  ])('counts as absent where %s', (_name, header) => {
    expect(read(header)).toBeNull();
  });
});
