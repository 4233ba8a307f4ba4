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
    const token = Buffer.allocUnsafe(size.head + size.mac);
    key.id.copy(token, 0);
    token[4] = version | (position.before === undefined ? 0 : position.before === 1 ? 1 : 2);
    writeTime(token, position.time);
    token.write(position.id.replaceAll('-', ''), 13, 'hex');
    mac(key, token, binding).copy(token, size.head, 0, size.mac);
    return token.toString('base64url');
  }

  /** The position in a token, or null where the token is forged, cut, foreign or bound to something else. */
  open(token: string, binding: Buffer): Position | null {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== size.head + size.mac || bytes.toString('base64url') !== token) return null;
    const head = bytes.subarray(0, size.head);
    const key = this.keys.find((each) => each.id.equals(head.subarray(0, size.key)));
    if (!key || !timingSafeEqual(mac(key, head, binding), bytes.subarray(size.head))) return null;
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

/**
 * HMAC-SHA-256 over the binding and the head that `token` begins with, as RFC 2104 defines it. A page of GraphQL takes
 * one for each edge; `createHmac` would make as many objects that the garbage collector has to watch.
 */
function mac(key: Key, token: Buffer, binding: Buffer): Buffer {
  const message = Buffer.allocUnsafe(block + binding.length + size.head);
  key.inner.copy(message, 0);
  binding.copy(message, block);
  token.copy(message, block + binding.length, 0, size.head);
  const digest = hash('sha256', message, 'buffer');
  const last = Buffer.allocUnsafe(block + digest.length);
  key.outer.copy(last, 0);
  digest.copy(last, block);
  return hash('sha256', last, 'buffer').subarray(0, size.mac);
}

/** What SHA-256 takes in at a time, in bytes. */
const block = 64;

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
