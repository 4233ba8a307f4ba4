import { createHmac, randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RefreshTokens } from '../src/index.ts';

const sessionId = randomUUIDv7();
const tokens = new RefreshTokens(['new secret', 'old secret']);

describe('RefreshTokens', () => {
  it('reads back what it made, at both ends of the counter', () => {
    for (const counter of [0, 1, 255, 256, 2 ** 31 - 1]) {
      expect(tokens.verify(tokens.issue({ sessionId, counter }))).toEqual({ sessionId, counter });
    }
  });

  it('derives the same token for the same session and counter, and another for any other', () => {
    const made = [
      tokens.issue({ sessionId, counter: 1 }),
      tokens.issue({ sessionId, counter: 2 }),
      tokens.issue({ sessionId: randomUUIDv7(), counter: 1 }),
    ];
    expect(tokens.issue({ sessionId, counter: 1 })).toBe(made[0]);
    expect(new Set(made).size).toBe(3);
  });

  it('accepts every secret of its list, makes with the newest, and refuses any other', () => {
    const old = new RefreshTokens(['old secret']).issue({ sessionId, counter: 3 });
    expect(tokens.verify(old)).toEqual({ sessionId, counter: 3 });
    expect(tokens.issue({ sessionId, counter: 3 })).toBe(
      new RefreshTokens(['new secret']).issue({ sessionId, counter: 3 }),
    );
    expect(tokens.verify(new RefreshTokens(['foreign']).issue({ sessionId, counter: 3 }))).toBeNull();
    expect(new RefreshTokens(['new secret']).verify(old)).toBeNull();
  });

  it('refuses a token in which any one character was changed', () => {
    const token = tokens.issue({ sessionId, counter: 7 });
    for (let index = 0; index < token.length; index += 1) {
      for (const other of ['A', 'B', '-', '_', 'Q']) {
        if (token[index] === other) continue;
        const changed = token.slice(0, index) + other + token.slice(index + 1);
        expect(tokens.verify(changed), `${index} ${other}`).toBeNull();
      }
    }
  });

  it('refuses other writings of the same bytes', () => {
    const token = tokens.issue({ sessionId, counter: 7 });
    const bytes = Buffer.from(token, 'base64url');
    for (const other of [`${token}=`, ` ${token}`, `${token}\n`, bytes.toString('base64'), bytes.toString('hex')]) {
      if (other !== token) expect(tokens.verify(other), other).toBeNull();
    }
  });

  it('refuses truncated, extended, empty and huge tokens', () => {
    const token = tokens.issue({ sessionId, counter: 7 });
    for (let length = 0; length < token.length; length += 1) expect(tokens.verify(token.slice(0, length))).toBeNull();
    expect(tokens.verify(`${token}AAAA`)).toBeNull();
    expect(tokens.verify('A'.repeat(1_000_000))).toBeNull();
  });

  it('refuses an authentic counter that the database could not hold', () => {
    expect(tokens.verify(tokens.issue({ sessionId, counter: 2 ** 31 }))).toBeNull();
    expect(tokens.verify(tokens.issue({ sessionId, counter: 2 ** 32 - 1 }))).toBeNull();
  });

  it('is keyed by session: the secret alone does not sign', () => {
    const body = Buffer.from(tokens.issue({ sessionId, counter: 7 }), 'base64url').subarray(0, 20);
    const direct = createHmac('sha256', 'new secret').update(body).digest();
    expect(tokens.verify(Buffer.concat([body, direct]).toString('base64url'))).toBeNull();
  });

  it('cannot be made without a secret', () => {
    expect(() => new RefreshTokens([])).toThrow();
  });
});
