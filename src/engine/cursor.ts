import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

/** A position in an order: the key of an item, which may no longer exist. */
export interface Position {
  /** The order's timestamp, in Unix milliseconds. */
  time: number;
  /** The id that breaks ties. */
  id: string;
  /** Set in a cursor from `prev`: the direction of the page that it was taken from (interface/lists.md#tokens). */
  before?: 1 | -1;
}

const size = { key: 4, head: 29, mac: 16 };
const version = 0x10;
const bodyVersion = 0x20;

/**
 * Seals the cursors of both faces. A token contains the position and an HMAC over the position and the list that it belongs
 * to; the same position in the same list always gives the same token.
 *
 * Layout (45 bytes, 60 characters of base64url): key id 4, version and kind 1, time 8, id 16, HMAC-SHA-256 truncated to 16.
 */
export class CursorCodec {
  private readonly keys: readonly Key[];

  /** @param secrets newest first; the first seals, all of them open, so that keys can rotate */
  constructor(secrets: readonly string[]) {
    this.keys = secrets.map((each) => new Key(each));
    if (this.keys.length === 0) throw new Error('a cursor codec needs a secret');
  }

  /** @param binding what the cursor is valid for, from {@link bindCursor} */
  seal({ time, id, before }: Position, binding: string): string {
    const [key] = this.keys as [Key];
    const { token } = key;
    token[size.key] = version | (before === undefined ? 0 : before === 1 ? 1 : 2);
    token.writeBigInt64BE(BigInt(time), 5);
    token.write(id.replaceAll('-', ''), 13, 'hex');
    token.write(key.mac(token.subarray(0, size.head), binding), size.head, 'latin1');
    return token.toString('base64url');
  }

  /** The position in a token, or null if the token is forged, truncated or bound to something else. */
  open(text: string, binding: string): Position | null {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length !== size.head + size.mac || bytes.toString('base64url') !== text) return null;
    if (!this.#isAuthentic(bytes, binding)) return null;
    const kind = (bytes[size.key] ?? 0) ^ version;
    if (kind > 2) return null;
    const position = { time: Number(bytes.readBigInt64BE(5)), id: uuid(bytes.toString('hex', 13, size.head)) };
    return kind === 0 ? position : { ...position, before: kind === 1 ? 1 : -1 };
  }

  /** Seals a cursor with a body of any length instead of a position: key id 4, version 1, body, HMAC 16. */
  sealBody(body: Uint8Array, binding: string): string {
    const [key] = this.keys as [Key];
    const head = Buffer.concat([key.id, Buffer.of(bodyVersion), body]);
    return Buffer.concat([head, Buffer.from(key.mac(head, binding), 'latin1')]).toString('base64url');
  }

  /** The body of such a cursor; null as in {@link open}. */
  openBody(text: string, binding: string): Buffer | null {
    const bytes = Buffer.from(text, 'base64url');
    const least = size.key + 1 + size.mac;
    if (bytes.length < least || bytes.toString('base64url') !== text || bytes[size.key] !== bodyVersion) return null;
    return this.#isAuthentic(bytes, binding) ? bytes.subarray(size.key + 1, -size.mac) : null;
  }

  #isAuthentic(bytes: Buffer, binding: string): boolean {
    const key = this.keys.find((each) => each.id.equals(bytes.subarray(0, size.key)));
    const mac = key?.mac(bytes.subarray(0, -size.mac), binding);
    return mac !== undefined && timingSafeEqual(Buffer.from(mac, 'latin1'), bytes.subarray(-size.mac));
  }
}

/**
 * What a cursor is valid for: the organization, the resource and its parent, the order (without its direction) and the
 * canonical filter. Not the viewer: visibility is checked on every request.
 *
 * @returns a digest, one character per byte
 */
export function bindCursor(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'binary');
}

/** A key, with a reusable token buffer: a Relay page seals one cursor per edge. */
class Key {
  readonly id: Buffer;
  /** The token being written; starts with the key id. */
  readonly token = Buffer.alloc(size.head + size.mac);
  private readonly secret: KeyObject;

  constructor(text: string) {
    const secret = Buffer.from(hkdfSync('sha256', text, '', 'events-gateway cursor', 32));
    this.secret = createSecretKey(secret);
    this.id = hash('sha256', secret, 'buffer').subarray(0, size.key);
    this.id.copy(this.token);
  }

  /**
   * HMAC-SHA-256 over the binding and the head of a token, truncated.
   *
   * @returns one character per byte
   */
  mac(head: Buffer, binding: string): string {
    const hmac = createHmac('sha256', this.secret).update(binding, 'latin1').update(head);
    return hmac.digest('binary').slice(0, size.mac);
  }
}

function uuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The position before every item at a time and later; with direction -1, before every item at it and earlier. */
export function beginning(time: string, direction: 1 | -1): Position {
  const first = { time: Date.parse(time), id: direction === 1 ? firstId : lastId };
  const position = neighbour(first, direction === 1 ? -1 : 1);
  // beyond the times that PostgreSQL reads; no item has this id
  return /^(?!0000)\d{4}-/.test(new Date(position.time).toISOString()) ? position : first;
}

/** The position directly after (`1`) or before (`-1`) in ascending order: no item can lie between the two. */
export function neighbour(position: Position, step: 1 | -1): Position {
  const wide = (BigInt(position.time) << 128n) + BigInt(`0x${position.id.replaceAll('-', '')}`) + BigInt(step);
  const hex = BigInt.asUintN(128, wide).toString(16).padStart(32, '0');
  return { time: Number(wide >> 128n), id: uuid(hex) };
}
