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

interface Key {
  id: Buffer;
  /** The key of the inner and of the outer hash, padded (RFC 2104). */
  inner: Buffer;
  outer: Buffer;
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
    this.keys = secrets.map((each) => {
      const secret = Buffer.from(hkdfSync('sha256', each, '', 'events-gateway cursor', 32));
      const id = createHash('sha256').update(secret).digest().subarray(0, size.key);
      return { id, inner: padded(secret, 0x36), outer: padded(secret, 0x5c) };
    });
    if (this.keys.length === 0) throw new Error('a cursor codec needs a secret');
  }

  /** @param binding the digest of what the cursor is valid for, of {@link bindCursor} */
  seal(position: Position, binding: Buffer): string {
    const [key] = this.keys as [Key];
    key.id.copy(token, 0);
    token[4] = version | (position.before === undefined ? 0 : position.before === 1 ? 1 : 2);
    writeTime(token, position.time);
    token.write(hexOf(position.id), 13, 16, 'hex');
    token.write(mac(key, binding), size.head, size.mac, 'latin1');
    return token.toString('base64url');
  }

  /** The position in a token, or null where the token is forged, cut, foreign or bound to something else. */
  open(text: string, binding: Buffer): Position | null {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length !== size.head + size.mac || bytes.toString('base64url') !== text) return null;
    const head = bytes.subarray(0, size.head);
    const key = this.keys.find((each) => each.id.equals(head.subarray(0, size.key)));
    head.copy(token, 0);
    if (!key || !timingSafeEqual(Buffer.from(mac(key, binding), 'latin1'), bytes.subarray(size.head))) return null;
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
 * What is hashed, made once for the process: a page of GraphQL seals a cursor for each edge, and nothing waits between
 * the first byte that is written here and the last that is read.
 */
const inner = Buffer.alloc(block + digest + size.head + size.mac);
const message = inner.subarray(0, block + digest + size.head);
const token = inner.subarray(block + digest);
const outer = Buffer.alloc(block + digest);

/**
 * HMAC-SHA-256 over the binding and the head that `token` begins with, as RFC 2104 defines it, cut. `createHmac` takes
 * many times as long, and a hash that is a buffer longer than one that is a text.
 *
 * @param binding 32 bytes
 * @returns a byte a character
 */
function mac(key: Key, binding: Buffer): string {
  key.inner.copy(inner, 0);
  binding.copy(inner, block);
  key.outer.copy(outer, 0);
  outer.write(hash('sha256', message, 'binary'), block, 'latin1');
  return hash('sha256', outer, 'binary').slice(0, size.mac);
}

/** The digits of a UUID. */
function hexOf(id: string): string {
  return id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
}

function padded(secret: Buffer, byte: number): Buffer {
  const pad = Buffer.alloc(block, byte);
  for (const [index, each] of secret.entries()) pad[index] = each ^ byte;
  return pad;
}

/** 64 bits, signed, as two halves: a BigInt would have to be made for each. */
function writeTime(token: Buffer, time: number): void {
  token.writeInt32BE(Math.floor(time / 2 ** 32), 5);
  token.writeUInt32BE(((time % 2 ** 32) + 2 ** 32) % 2 ** 32, 9);
}

/** The position directly after (`1`) or before (`-1`) in ascending order: no item can lie between the two. */
export function neighbour(position: Position, step: 1 | -1): Position {
  const wide = (BigInt(position.time) << 128n) + BigInt(`0x${position.id.replaceAll('-', '')}`) + BigInt(step);
  const hex = BigInt.asUintN(128, wide).toString(16).padStart(32, '0');
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return { time: Number(wide >> 128n), id };
}
