import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { SipHash } from './sip-hash.ts';

const size = { key: 4, type: 1, code: 16 };
const head = size.key + size.type;

export interface Opened {
  /** 0 to 255, with the caller's meaning. */
  type: number;
  body: Buffer;
}

export class SealingKeys {
  readonly #keys: readonly Key[];

  /** @param secrets newest first; the first seals. @param namespace separates the keys from others of the same secrets */
  constructor(secrets: readonly string[], namespace: string) {
    this.#keys = secrets.map((each) => new Key(each, namespace));
    if (this.#keys.length === 0) throw new Error('sealing needs a secret');
  }

  /** @param scope what the tokens are valid for, such as a list with its order and its filter; of any length */
  bind(scope: string): ScopedSeal {
    return new ScopedSeal(this.#keys, scope);
  }
}

/** Seals and opens the tokens of one scope, with keys that are derived on demand. */
export class ScopedSeal {
  readonly #keys: readonly Key[];
  readonly #scope: string;
  readonly #hashes = new Map<Key, SipHash>();

  constructor(keys: readonly Key[], scope: string) {
    this.#keys = keys;
    this.#scope = scope;
  }

  /** The same type and body always give the same token. */
  seal(type: number, body: Uint8Array): string {
    const [key] = this.#keys as [Key];
    const end = head + body.length;
    const token = Buffer.allocUnsafe(end + size.code);
    token.set(key.id);
    token[size.key] = type;
    token.set(body, head);
    this.#hashOf(key).write(token.subarray(0, end), token, end);
    return token.toString('base64url');
  }

  /** Null if the token is forged, truncated, spelled differently, or of another scope or an unknown secret. */
  open(text: string): Opened | null {
    const bytes = Buffer.from(text, 'base64url');
    const end = bytes.length - size.code;
    if (end < head) return null;
    const key = this.#keys.find(({ id }) => id.equals(bytes.subarray(0, size.key)));
    if (!key || bytes.toString('base64url') !== text) return null;
    const code = Buffer.alloc(size.code);
    this.#hashOf(key).write(bytes.subarray(0, end), code, 0);
    if (!timingSafeEqual(code, bytes.subarray(end))) return null;
    return { type: bytes[size.key] as number, body: bytes.subarray(head, end) };
  }

  #hashOf(key: Key): SipHash {
    let known = this.#hashes.get(key);
    if (!known) {
      known = key.hashFor(this.#scope);
      this.#hashes.set(key, known);
    }
    return known;
  }
}

class Key {
  /** Identifies the secret without revealing it. */
  readonly id: Buffer;
  readonly #secret: KeyObject;

  constructor(secret: string, namespace: string) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `${namespace} ${purpose}`, 32));
    this.#secret = createSecretKey(derive('keys of cursors'));
    this.id = hash('sha256', derive('cursor'), 'buffer').subarray(0, size.key);
  }

  /** The key of the hash is an HMAC of the scope. */
  hashFor(scope: string): SipHash {
    return new SipHash(createHmac('sha256', this.#secret).update(scope).digest().subarray(0, 16));
  }
}
