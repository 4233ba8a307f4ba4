import type { Response } from 'express';
import { describe, expect, it } from 'vitest';
import { TokenCookie } from '../../src/rest/server/cookie.ts';

const publicUrl = 'https://events.example';
const cookie = new TokenCookie({ secrets: () => ['new', 'old'], publicUrl });

/** What `write` or `clear` sends as Set-Cookie. */
function written(act: (response: Response) => void): string {
  const lines: string[] = [];
  act({ append: (name: string, value: string) => lines.push(`${name}: ${value}`) } as unknown as Response);
  expect(lines).toHaveLength(1);
  return lines[0] as string;
}

describe('TokenCookie', () => {
  it('is cleared under the same attributes', () => {
    const attributes = 'Max-Age=0; Path=/auth; HttpOnly; Secure; SameSite=Lax';
    expect(written((response) => cookie.clear(response))).toBe(`set-cookie: token=; ${attributes}`);
  });

  it.each([
    ['https://events.example/api', '/api/auth'],
    ['https://events.example/a%20b/c/', '/a%20b/c/auth'],
  ])('has below %s the path that a browser sees, also when it is cleared', (url, path) => {
    const below = new TokenCookie({ secrets: () => ['new'], publicUrl: url });
    expect(written((response) => below.write(response, 'value'))).toContain(`; Path=${path}; HttpOnly; Secure; `);
    expect(written((response) => below.clear(response))).toContain(`token=; Max-Age=0; Path=${path}; `);
  });
});
