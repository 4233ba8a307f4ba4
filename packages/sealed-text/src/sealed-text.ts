import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** A sealed text begins with this, which no JSON does. */
const mark = 'sealed:';
/** Layout: key id 4, nonce 12, encrypted text, tag 16; in base64url. */
const size = { id: 4, nonce: 12, tag: 16 };

/** What a text is sealed for; it opens only with the same values. */
export interface Seal {
  /** The kind of text; each kind has its own key. */
  purpose: string;
  /** The row that it belongs to, so that it cannot be moved to another. */
  binding: string;
  /** An additional secret of the key, which is not stored. */
  secret?: string;
}

/** Encrypts texts for the database with AES-256-GCM. */
export class TextSealer {
  readonly #keys: readonly SealingKey[];

  /**
   * @param secrets newest first; the first seals, all of them open, so that keys can rotate
   * @param service makes the keys different from those of other services with the same secrets
   */
  constructor(secrets: readonly string[], service: string) {
    this.#keys = secrets.map((secret) => new SealingKey(secret, service));
    if (this.#keys.length === 0) throw new Error('sealing needs a secret');
  }

  seal(text: string, use: Seal): string {
    const [key] = this.#keys as [SealingKey];
    const nonce = randomBytes(size.nonce);
    const cipher = createCipheriv('aes-256-gcm', key.for(use), nonce).setAAD(Buffer.from(use.binding));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return mark + Buffer.concat([key.id, nonce, encrypted, cipher.getAuthTag()]).toString('base64url');
  }

  /** Null if it was changed, sealed for something else, or sealed with a key that is gone. */
  open(sealed: string, use: Seal): string | null {
    const bytes = Buffer.from(sealed.slice(mark.length), 'base64url');
    const key = this.#keyOf(sealed, bytes);
    if (!key) return null;
    const nonce = bytes.subarray(size.id, size.id + size.nonce);
    const decipher = createDecipheriv('aes-256-gcm', key.for(use), nonce, { authTagLength: size.tag });
    decipher.setAAD(Buffer.from(use.binding)).setAuthTag(bytes.subarray(-size.tag));
    try {
      const encrypted = bytes.subarray(size.id + size.nonce, -size.tag);
      return decipher.update(encrypted, undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return null;
    }
  }

  /** Whether a text is sealed with the newest key; if not, it must be sealed again before its key goes. */
  isCurrent(sealed: string): boolean {
    const bytes = Buffer.from(sealed.slice(mark.length), 'base64url');
    return this.#keyOf(sealed, bytes) === this.#keys[0];
  }

  #keyOf(sealed: string, bytes: Buffer) {
    if (!isSealed(sealed) || bytes.length < size.id + size.nonce + size.tag) return undefined;
    return this.#keys.find(({ id }) => id.equals(bytes.subarray(0, size.id)));
  }
}

export function isSealed(text: string): boolean {
  return text.startsWith(mark);
}

class SealingKey {
  readonly id: Buffer;
  readonly #derive: (salt: string, name: string) => Buffer;
  /** By purpose, without an additional secret: deriving one takes longer than opening a text. */
  readonly #made = new Map<string, KeyObject>();

  constructor(secret: string, service: string) {
    this.#derive = (salt, name) => {
      const salted = salt === '' ? '' : hash('sha256', salt, 'buffer');
      return Buffer.from(hkdfSync('sha256', secret, salted, `${service} sealed ${name}`, 32));
    };
    this.id = this.#derive('', 'id').subarray(0, size.id);
  }

  for({ purpose, secret = '' }: Seal): KeyObject {
    const make = () => createSecretKey(this.#derive(secret, `text ${purpose}`));
    if (secret !== '') return make();
    const key = this.#made.get(purpose) ?? make();
    this.#made.set(purpose, key);
    return key;
  }
}
