import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { SipHash } from '#sip-hash';
import { type Position, uuidText } from './position.ts';

const size = { key: 4, head: 29, mac: 16 };
/** The high half of the byte behind the key's id: what a cursor is, and how it is sealed. */
const forms = { position: 0x30, body: 0x40 };

/** How many lists keep their derived keys, and the longest text of one; the others have long filters. */
const maxLists = { number: 5_000, length: 500 };

/**
 * Seals the cursors of both faces. A token contains a position and a code that only we can make, from the position and the list
 * that it belongs to; the same position in the same list always gives the same token.
 *
 * Layout (45 bytes, 60 characters of base64url): key id 4, form and kind 1, time 8, id 16, code 16 (note 0003).
 */
export class CursorCodec {
  private readonly keys: readonly Key[];
  private readonly lists = new LRUCache<string, ListCursors>({ max: maxLists.number });

  /** @param secrets newest first; the first seals, all of them open, so that keys can rotate */
  constructor(secrets: readonly string[]) {
    this.keys = secrets.map((each) => new Key(each));
    if (this.keys.length === 0) throw new Error('a cursor codec needs a secret');
  }

  /**
   * The cursors of one list.
   *
   * @param parts what they are valid for: the organization, the resource and its parent, the order (without its direction) and
   * the canonical filter. Not the viewer: visibility is checked on every request
   */
  bind(...parts: readonly string[]): ListCursors {
    const list = JSON.stringify(parts);
    let cursors = this.lists.get(list);
    if (!cursors) {
      cursors = new ListCursors(this.keys, list);
      if (list.length <= maxLists.length) this.lists.set(list, cursors);
    }
    return cursors;
  }
}

/** Seals and opens the cursors of one list, with a key of its own, which is derived once a cursor is asked for. */
export class ListCursors {
  readonly #keys: readonly Key[];
  readonly #list: string;
  readonly #hashes = new Map<Key, SipHash>();

  constructor(keys: readonly Key[], list: string) {
    this.#keys = keys;
    this.#list = list;
  }

  seal({ time, id, before }: Position): string {
    const [key] = this.#keys as [Key];
    const { token } = key;
    token[size.key] = forms.position | (before === undefined ? 0 : before === 1 ? 1 : 2);
    token.writeInt32BE(Math.floor(time / 2 ** 32), 5);
    token.writeUInt32BE(time >>> 0, 9);
    writeUuid(token, id, 13);
    this.#hashOf(key).write(token.subarray(0, size.head), token, size.head);
    return token.toString('base64url');
  }

  /** The position in a token, or null if the token is forged, truncated or of another list. */
  open(text: string): Position | null {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length !== size.head + size.mac) return null;
    const kind = this.#kindOf(bytes, text, 'position');
    if (kind === null || kind > 2) return null;
    const position = { time: Number(bytes.readBigInt64BE(5)), id: uuidText(bytes.toString('hex', 13, size.head)) };
    return kind === 0 ? position : { ...position, before: kind === 1 ? 1 : -1 };
  }

  /** Seals a cursor with a body of any length in place of a position: key id 4, form 1, body, code 16. */
  sealBody(body: Uint8Array): string {
    const [key] = this.#keys as [Key];
    const bytes = Buffer.concat([key.id, Buffer.of(forms.body), body, Buffer.alloc(size.mac)]);
    this.#hashOf(key).write(bytes.subarray(0, -size.mac), bytes, bytes.length - size.mac);
    return bytes.toString('base64url');
  }

  /** The body of such a cursor; null as in {@link open}. */
  openBody(text: string): Buffer | null {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length < size.key + 1 + size.mac || this.#kindOf(bytes, text, 'body') !== 0) return null;
    return bytes.subarray(size.key + 1, -size.mac);
  }

  /** The kind of an authentic cursor of this form and list; null for any other, and for another spelling of one. */
  #kindOf(bytes: Buffer, text: string, form: keyof typeof forms): number | null {
    const byte = bytes[size.key] as number;
    const kind = byte & 0x0f;
    if (byte - kind !== forms[form]) return null;
    const key = this.#keys.find((each) => each.id.equals(bytes.subarray(0, size.key)));
    if (!key || bytes.toString('base64url') !== text) return null;
    const code = Buffer.alloc(size.mac);
    this.#hashOf(key).write(bytes.subarray(0, -size.mac), code, 0);
    return timingSafeEqual(code, bytes.subarray(-size.mac)) ? kind : null;
  }

  #hashOf(key: Key): SipHash {
    let known = this.#hashes.get(key);
    if (!known) {
      known = key.hashFor(this.#list);
      this.#hashes.set(key, known);
    }
    return known;
  }
}

/** A key, with a reusable token buffer: a Relay page seals one cursor per edge. */
class Key {
  readonly id: Buffer;
  /** The token being written; starts with the key id. */
  readonly token = Buffer.alloc(size.head + size.mac);
  private readonly secret: KeyObject;

  constructor(text: string) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', text, '', purpose, 32));
    this.secret = createSecretKey(derive('events-gateway keys of cursors'));
    this.id = hash('sha256', derive('events-gateway cursor'), 'buffer').subarray(0, size.key);
    this.id.copy(this.token);
  }

  /** The hash that makes the codes of a list's cursors; its key is an HMAC of the list. */
  hashFor(list: string): SipHash {
    return new SipHash(createHmac('sha256', this.secret).update(list).digest().subarray(0, 16));
  }
}

const half = (code: number) => (code < 58 ? code - 48 : code - 87);

/** Writes a UUID, in lower case, as bytes. */
function writeUuid(bytes: Buffer, text: string, at: number): void {
  for (let index = at, place = 0; index < at + 16; index += 1, place += 2) {
    if (text[place] === '-') place += 1;
    bytes[index] = (half(text.charCodeAt(place)) << 4) | half(text.charCodeAt(place + 1));
  }
}
