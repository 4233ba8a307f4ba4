import { createHash, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../kernel/errors.ts';
import { parseUuid } from '../../kernel/scalars.ts';

/** Seconds for which an access token is valid (reference/sign-in.md#access-token). */
const lifetime = 30 * 60;
/** Tolerated clock difference, in seconds (reference/sign-in.md#access-token). */
const clockTolerance = 5;
/** Our tokens have about 500 characters; longer texts are refused without decoding them. */
const maxLength = 2048;

/** The claims of an access token: user, session, and expiry in Unix milliseconds. */
export interface AccessClaims {
  userId: string;
  sessionId: string;
  expiresAt: number;
}

/** A public key as it is published (RFC 7517, RFC 8037). */
export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

export interface AccessTokensOptions {
  /** Ed25519 private keys, newest first: the first signs, all of them verify, so that keys can rotate. */
  privateKeys: KeyObject[];
  /** Claim `iss`. */
  issuer: string;
  /** Claim `aud`. */
  audience: string;
  /** The maximum number of cached verified tokens. */
  cacheSize?: number;
}

/**
 * Issues and verifies access tokens: JWTs in the form of RFC 9068, signed with EdDSA
 * (reference/sign-in.md#access-token).
 */
export class AccessTokens {
  readonly #signing: { kid: string; key: KeyObject };
  readonly #publicKeys = new Map<string, KeyObject>();
  readonly #jwks: PublicJwk[] = [];
  readonly #issuer: string;
  readonly #audience: string;
  readonly #verified: LRUCache<string, AccessClaims>;

  constructor({ privateKeys, issuer, audience, cacheSize = 10_000 }: AccessTokensOptions) {
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
    this.#issuer = issuer;
    this.#audience = audience;
    this.#verified = new LRUCache({ max: cacheSize });
  }

  /** Issues a token. `expires` is its expiry in Unix milliseconds, as in the login response. */
  async issue(input: { userId: string; sessionId: string; now: Date }): Promise<{ token: string; expires: number }> {
    const issuedAt = Math.floor(input.now.getTime() / 1000);
    const token = await new SignJWT({ sid: input.sessionId })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: this.#signing.kid })
      .setIssuer(this.#issuer)
      .setAudience(this.#audience)
      .setSubject(input.userId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetime)
      .setJti(randomUUID())
      .sign(this.#signing.key);
    return { token, expires: (issuedAt + lifetime) * 1000 };
  }

  /**
   * Checks form, signature and claims. Does not check whether the session is active, see `Access`.
   *
   * @throws DomainError INVALID_TOKEN
   */
  async verify(token: string): Promise<AccessClaims> {
    const known = this.#verified.get(token);
    if (known && known.expiresAt > Date.now()) return known;
    this.#verified.delete(token);
    const claims = await this.#check(token);
    this.#verified.set(token, claims);
    return claims;
  }

  /** The JWK set (RFC 7517 §5) that `/.well-known/jwks.json` serves. */
  jwks(): { keys: PublicJwk[] } {
    return { keys: this.#jwks };
  }

  async #check(token: string): Promise<AccessClaims> {
    if (token.length > maxLength || !isCanonical(token)) throw new DomainError('INVALID_TOKEN');
    try {
      const { payload } = await jwtVerify(token, (header) => this.#findKey(header), {
        algorithms: ['EdDSA'],
        typ: 'at+jwt',
        issuer: this.#issuer,
        audience: this.#audience,
        requiredClaims: ['iss', 'aud', 'sub', 'sid', 'iat', 'exp', 'jti'],
        clockTolerance,
        // also makes jose refuse an `iat` in the future
        maxTokenAge: lifetime,
      });
      return readClaims(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new DomainError('INVALID_TOKEN', { cause: error });
      throw error;
    }
  }

  /** Looks up the key by `kid` in our own set; keys and key URLs in the header are ignored. */
  #findKey(header: { kid?: string; crit?: unknown }): KeyObject {
    const key = typeof header.kid === 'string' ? this.#publicKeys.get(header.kid) : undefined;
    // we issue no critical extensions, so a token with one is not ours (RFC 7515 §4.1.11)
    if (!key || header.crit !== undefined) throw new DomainError('INVALID_TOKEN');
    return key;
  }
}

function readClaims({ sub, sid, exp = 0 }: JWTPayload): AccessClaims {
  const userId = parseUuid(sub);
  const sessionId = parseUuid(sid);
  if (userId === null || sessionId === null) throw new DomainError('INVALID_TOKEN');
  return { userId, sessionId, expiresAt: exp * 1000 };
}

/** Whether each of the three parts is canonical base64url, so that a token has only one valid spelling. */
function isCanonical(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

function publicJwk(key: KeyObject): PublicJwk {
  const { x } = key.export({ format: 'jwk' });
  if (x === undefined) throw new Error('An access token key must be an Ed25519 key.');
  // RFC 7638: the required members in lexicographic order, without spaces (RFC 8037 §2 names those of an OKP key)
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
}
