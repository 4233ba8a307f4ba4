import { generateKeyPairSync, type KeyObject, randomUUIDv7, sign } from 'node:crypto';
import { calculateJwkThumbprint, createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { AccessTokens } from '../src/index.ts';

const issuer = 'https://events.example';
const audience = 'https://events.example/api';
const key = generateKeyPairSync('ed25519').privateKey;
const olderKey = generateKeyPairSync('ed25519').privateKey;
const tokens = new AccessTokens({ privateKeys: [key, olderKey], issuer, audience });
const kid = tokens.jwks().keys[0]?.kid as string;
const userId = randomUUIDv7();
const sessionId = randomUUIDv7();

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token whose header and claims are ours but for the changes; `undefined` removes a member. */
function forge(header: object = {}, claims: object = {}, signer: KeyObject = key): string {
  const now = Math.floor(Date.now() / 1000);
  const body = {
    iss: issuer,
    aud: audience,
    sub: userId,
    sid: sessionId,
    iat: now,
    exp: now + 1800,
    jti: 'j',
    ...claims,
  };
  const input = `${encode({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header })}.${encode(body)}`;
  return `${input}.${sign(null, Buffer.from(input), signer).toString('base64url')}`;
}

describe('AccessTokens', () => {
  it('issues a JWT of the decided form that is good for 30 minutes', async () => {
    const now = new Date('2026-03-01T10:00:00.999Z');
    const { token, expires } = await tokens.issue({ userId, sessionId, now });
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid });
    const issuedAt = Date.parse('2026-03-01T10:00:00Z') / 1000;
    expect(decodeJwt(token)).toEqual({
      iss: issuer,
      aud: audience,
      sub: userId,
      sid: sessionId,
      iat: issuedAt,
      exp: issuedAt + 1800,
      jti: expect.any(String),
    });
    expect(expires).toBe((issuedAt + 1800) * 1000);
  });

  it('verifies what it issued, a second time from memory', async () => {
    const { token, expires } = await tokens.issue({ userId, sessionId, now: new Date() });
    const claims = { userId, sessionId, expiresAt: expires };
    expect(await tokens.verify(token)).toEqual(claims);
    expect(await tokens.verify(token)).toEqual(claims);
  });

  it('gives every token an id of its own', async () => {
    const now = new Date();
    const [first, second] = await Promise.all([1, 2].map(() => tokens.issue({ userId, sessionId, now })));
    expect(first?.token).not.toBe(second?.token);
  });

  it('publishes its public keys, newest first, under their RFC 7638 thumbprints, so that others can verify', async () => {
    const { keys } = tokens.jwks();
    expect(keys).toHaveLength(2);
    for (const jwk of keys) {
      expect(jwk).toEqual({ kty: 'OKP', crv: 'Ed25519', x: jwk.x, kid: jwk.kid, alg: 'EdDSA', use: 'sig' });
      expect(await calculateJwkThumbprint(jwk)).toBe(jwk.kid);
    }
    const { token } = await tokens.issue({ userId, sessionId, now: new Date() });
    const { payload } = await jwtVerify(token, createLocalJWKSet(tokens.jwks()), { issuer, audience });
    expect(payload.sub).toBe(userId);
  });

  it('verifies tokens of an older key that is still listed, and none of a key that is not', async () => {
    const { token } = await new AccessTokens({ privateKeys: [olderKey], issuer, audience }).issue({
      userId,
      sessionId,
      now: new Date(),
    });
    expect((await tokens.verify(token))?.userId).toBe(userId);
    await expect(tokens.verify(forge({ kid: tokens.jwks().keys[1]?.kid }))).resolves.toBeNull();
    const rotated = new AccessTokens({ privateKeys: [key], issuer, audience });
    await expect(rotated.verify(token)).resolves.toBeNull();
  });

  const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;

  it('refuses a signature in which any one character was changed', async () => {
    const { token } = await tokens.issue({ userId, sessionId, now: new Date() });
    const start = token.lastIndexOf('.') + 1;
    for (let index = start; index < token.length; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A';
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      await expect(tokens.verify(changed), String(index - start)).resolves.toBeNull();
    }
    // the last character carries only two bits of the signature: its other writings decode to the same bytes
    for (const other of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      if (token.endsWith(other)) continue;
      await expect(tokens.verify(token.slice(0, -1) + other)).resolves.toBeNull();
    }
  });

  it('tolerates clocks that differ by up to five seconds', async () => {
    expect(await tokens.verify(forge({}, { iat: seconds(-1803), exp: seconds(-3) }))).toMatchObject({ userId });
    expect(await tokens.verify(forge({}, { iat: seconds(3), exp: seconds(1803) }))).toMatchObject({ userId });
  });

  it('remembers no token past its end', async () => {
    const { token, expires } = await tokens.issue({ userId, sessionId, now: new Date() });
    await tokens.verify(token);
    vi.useFakeTimers({ now: expires + 6_000, toFake: ['Date'] });
    try {
      await expect(tokens.verify(token)).resolves.toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('takes nothing but Ed25519 keys, and at least one', () => {
    expect(() => new AccessTokens({ privateKeys: [], issuer, audience })).toThrow();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() => new AccessTokens({ privateKeys: [privateKey], issuer, audience })).toThrow();
  });
});
