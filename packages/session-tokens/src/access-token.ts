import { createPublicKey, hash, type KeyObject, randomUUID } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

/** Seconds for which an access token is valid. */
const lifetime = 30 * 60;
/** Tolerated clock difference in seconds. */
const clockTolerance = 5;
/** Our tokens have about 500 characters; longer texts are not decoded. */
const maxLength = 2048;

/** `expiresAt` in Unix milliseconds. */
export interface AccessClaims {
  userId: string;
  sessionId: string;
  expiresAt: number;
}

export interface AccessTokensOptions {
  /** Ed25519, newest first: the first signs, all verify, so that keys can rotate. */
  privateKeys: KeyObject[];
  issuer: string;
  audience: string;
}

/** JWTs in the form of RFC 9068, signed with EdDSA. */
export class AccessTokens {
  readonly #signing: { kid: string; key: KeyObject };
  readonly #publicKeys = new Map<string, KeyObject>();
  readonly #jwks: PublicJwk[] = [];
  readonly #claims: { issuer: string; audience: string };
  readonly #verified = new LRUCache<string, AccessClaims>({ max: 10_000 });

  constructor({ privateKeys, issuer, audience }: AccessTokensOptions) {
    for (const privateKey of privateKeys) {
      if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('An access token key must be an Ed25519 key.');
      const publicKey = createPublicKey(privateKey);
      const jwk = publicJwk(publicKey);
      this.#publicKeys.set(jwk.kid, publicKey);
      this.#jwks.push(jwk);
    }
    const [key] = privateKeys;
    const [jwk] = this.#jwks;
    if (!key || !jwk) throw new Error('At least one access token key is required.');
    this.#signing = { kid: jwk.kid, key };
    this.#claims = { issuer, audience };
  }

  /** `expires` is in Unix milliseconds, as in the response. */
  async issue(input: { userId: string; sessionId: string; now: Date }): Promise<{ token: string; expires: number }> {
    const issuedAt = Math.floor(input.now.getTime() / 1000);
    const token = await new SignJWT({ sid: input.sessionId })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: this.#signing.kid })
      .setIssuer(this.#claims.issuer)
      .setAudience(this.#claims.audience)
      .setSubject(input.userId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetime)
      .setJti(randomUUID())
      .sign(this.#signing.key);
    return { token, expires: (issuedAt + lifetime) * 1000 };
  }

  /** Does not check whether the session is active. Null for a token that is not valid. */
  async verify(token: string): Promise<AccessClaims | null> {
    const known = this.#verified.get(token);
    if (known && known.expiresAt > Date.now()) return known;
    this.#verified.delete(token);
    const claims = await this.#check(token);
    if (claims) this.#verified.set(token, claims);
    return claims;
  }

  /** For `/.well-known/jwks.json` (RFC 7517 §5). */
  jwks(): { keys: PublicJwk[] } {
    return { keys: this.#jwks };
  }

  async #check(token: string): Promise<AccessClaims | null> {
    if (token.length > maxLength || !isCanonical(token)) return null;
    try {
      const { payload } = await jwtVerify(token, (header) => this.#findKey(header), {
        algorithms: ['EdDSA'],
        typ: 'at+jwt',
        ...this.#claims,
        requiredClaims: ['iss', 'aud', 'sub', 'sid', 'iat', 'exp', 'jti'],
        clockTolerance,
        // also makes jose refuse an `iat` in the future
        maxTokenAge: lifetime,
      });
      return readClaims(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  /** By `kid` in our own set; keys and key URLs in the header are ignored. */
  #findKey(header: { kid?: string; crit?: unknown }): KeyObject {
    const key = typeof header.kid === 'string' ? this.#publicKeys.get(header.kid) : undefined;
    // we issue no critical extensions, so a token with one is not ours (RFC 7515 §4.1.11)
    if (!key || header.crit !== undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function readClaims({ sub, sid, exp = 0 }: JWTPayload): AccessClaims | null {
  if (typeof sub !== 'string' || typeof sid !== 'string' || !uuid.test(sub) || !uuid.test(sid)) return null;
  return { userId: sub.toLowerCase(), sessionId: sid.toLowerCase(), expiresAt: exp * 1000 };
}

/** In base64url, so that a token has only one valid spelling. */
function isCanonical(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

type PublicJwk = ReturnType<typeof publicJwk>;

/** As it is published (RFC 7517, RFC 8037). */
function publicJwk(key: KeyObject) {
  const { x } = key.export({ format: 'jwk' });
  if (x === undefined) throw new Error('An access token key must be an Ed25519 key.');
  // RFC 7638: the required members in lexicographic order, without spaces (RFC 8037 §2 names those of an OKP key)
  const kid = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } as const;
}
