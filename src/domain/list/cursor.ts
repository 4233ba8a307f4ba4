import { createHash, hash, hkdfSync, timingSafeEqual } from 'node:crypto';

/** A place in an order: the key of an item, which may be gone by now. */
export interface Position {
  /** The order's timestamp, in Unix milliseconds. */
  time: number;
  /** The id that breaks ties. */
  id: string;
  /** Set in a cursor taken from `prev`: the direction of the page before which it leads (decisions §2). */
  before?: 1 | -1;
}

const size = { key: 4, head: 29, mac: 16 };
const version = 0x10;

/**
 * Seals positions for both faces. The token carries the position and an HMAC over it and over what it is bound to;
 * the same position and binding always give the same token.
 *
 * Layout (45 bytes, 60 characters of base64url): key id 4, version and kind 1, time 8, id 16, HMAC-SHA-256 cut to 16.
 */
export class CursorCodec {
  private readonly keys: readonly Key[];

  /** @param secrets newest first; the first seals, every one opens, so that keys rotate */
  constructor(secrets: readonly string[]) {
    this.keys = secrets.map((each) => new Key(each));
    if (this.keys.length === 0) throw new Error('a cursor codec needs a secret');
  }

  /** @param binding the digest of what the cursor is valid for, of {@link bindCursor} */
  seal(position: Position, binding: Buffer): string {
    const [key] = this.keys as [Key];
    const { token } = key;
    token[4] = version | (position.before === undefined ? 0 : position.before === 1 ? 1 : 2);
    writeTime(token, position.time);
    writeId(token, position.id);
    token.write(key.mac(binding), size.head, size.mac, 'latin1');
    return token.toString('base64url');
  }

  /** The position in a token, or null where the token is forged, cut, foreign or bound to something else. */
  open(text: string, binding: Buffer): Position | null {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length !== size.head + size.mac || bytes.toString('base64url') !== text) return null;
    const head = bytes.subarray(0, size.head);
    const key = this.keys.find((each) => each.id.equals(head.subarray(0, size.key)));
    if (!key) return null;
    head.copy(key.token, 0);
    if (!timingSafeEqual(Buffer.from(key.mac(binding), 'latin1'), bytes.subarray(size.head))) return null;
    const kind = (head[4] ?? 0) ^ version;
    if (kind > 2) return null;
    const hex = head.toString('hex', 13, 29);
    const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    const position = { time: Number(head.readBigInt64BE(5)), id };
    return kind === 0 ? position : { ...position, before: kind === 1 ? 1 : -1 };
  }
}

/**
 * What a cursor is valid for: the organization, the resource and its parent, the columns of the order (not its
 * direction) and the meaning of the filter. Not the viewer: visibility is applied anew each time.
 */
export function bindCursor(...parts: readonly string[]): Buffer {
  return hash('sha256', JSON.stringify(parts), 'buffer');
}

/** What SHA-256 takes in at a time, and what it makes of it, in bytes. */
const block = 64;
const digest = 32;

/**
 * A secret, and the memory in which cursors are sealed with it, made once for the process: a page of GraphQL seals a
 * cursor for each edge, and nothing waits between the first byte that is written here and the last that is read.
 */
class Key {
  readonly id: Buffer;
  /** The cursor, whose head {@link mac} is of; it begins with the id, always. */
  readonly token: Buffer;
  /** What the inner and the outer hash are of (RFC 2104); each begins with the key, padded. */
  private readonly inner: Buffer;
  private readonly outer: Buffer;
  private bound: Buffer | undefined;

  constructor(text: string) {
    const secret = Buffer.from(hkdfSync('sha256', text, '', 'events-gateway cursor', 32));
    this.id = createHash('sha256').update(secret).digest().subarray(0, size.key);
    const inner = Buffer.alloc(block + digest + size.head + size.mac);
    this.inner = inner.subarray(0, block + digest + size.head);
    this.token = inner.subarray(block + digest);
    this.id.copy(this.token);
    this.outer = Buffer.alloc(block + digest);
    writePadded(this.inner, secret, 0x36);
    writePadded(this.outer, secret, 0x5c);
  }

  /**
   * HMAC-SHA-256 over the binding and the head of the token, cut. `createHmac` takes many times as long, and a hash
   * that is a buffer longer than one that is a text.
   *
   * @param binding 32 bytes, which must stay as they are
   * @returns a byte a character
   */
  mac(binding: Buffer): string {
    if (this.bound !== binding) binding.copy(this.inner, block);
    this.bound = binding;
    this.outer.write(hash('sha256', this.inner, 'binary'), block, 'latin1');
    return hash('sha256', this.outer, 'binary').slice(0, size.mac);
  }
}

function writePadded(target: Buffer, secret: Buffer, byte: number): void {
  target.fill(byte, 0, block);
  for (const [index, each] of secret.entries()) target[index] = each ^ byte;
}

/** 64 bits, signed, as two halves: a BigInt would have to be made for each. */
function writeTime(token: Buffer, time: number): void {
  token.writeInt32BE(Math.floor(time / 2 ** 32), 5);
  token.writeUInt32BE(((time % 2 ** 32) + 2 ** 32) % 2 ** 32, 9);
}

const dash = '-'.charCodeAt(0);
const digits = new Map([...'0123456789abcdef'].map((each, value) => [each.charCodeAt(0), value]));
const values = Uint8Array.from({ length: 128 }, (_, character) => digits.get(character) ?? 0);

/** The 16 bytes of a UUID, which is in lower case: a text without dashes would have to be made for each. */
function writeId(token: Buffer, id: string): void {
  let at = 13;
  for (let index = 0; index < id.length; index += 2) {
    if (id.charCodeAt(index) === dash) index += 1;
    token[at] = ((values[id.charCodeAt(index)] as number) << 4) | (values[id.charCodeAt(index + 1)] as number);
    at += 1;
  }
}

/** The position directly after (`1`) or before (`-1`) in ascending order: no item can lie between the two. */
export function neighbour(position: Position, step: 1 | -1): Position {
  const wide = (BigInt(position.time) << 128n) + BigInt(`0x${position.id.replaceAll('-', '')}`) + BigInt(step);
  const hex = BigInt.asUintN(128, wide).toString(16).padStart(32, '0');
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return { time: Number(wide >> 128n), id };
}
