import { LRUCache } from 'lru-cache';
import { type ScopedSeal, SealingKeys } from '#sealed-cursor';
import { type Position, uuidText } from './position.ts';

/** What a cursor contains: a position, with the direction of its page in the lowest bits, or another body. */
const types = { position: 0x30, body: 0x40 };

/** How many lists keep their derived keys, and the longest text of one. */
const maxLists = { number: 5_000, length: 500 };

/**
 * Seals the cursors of both APIs. The same position in the same list always gives the same token.
 *
 * Layout (45 bytes, 60 characters of base64url): key id 4, type 1, time 8, id 16, code 16 (note 0002).
 */
export class CursorCodec {
  private readonly keys: SealingKeys;
  private readonly lists = new LRUCache<string, ListCursors>({ max: maxLists.number });

  /** @param secrets newest first; the first seals, all of them open, so that keys can rotate */
  constructor(secrets: readonly string[]) {
    this.keys = new SealingKeys(secrets, 'events-gateway');
  }

  /** @param parts the organization, the resource and its parent, the order and the filter; not the viewer, who may change */
  bind(...parts: readonly string[]): ListCursors {
    const list = JSON.stringify(parts);
    let cursors = this.lists.get(list);
    if (!cursors) {
      cursors = new ListCursors(this.keys.bind(list));
      if (list.length <= maxLists.length) this.lists.set(list, cursors);
    }
    return cursors;
  }
}

/** The bytes of the position that is being sealed: a Relay page seals one for each edge. */
const written = Buffer.alloc(24);

export class ListCursors {
  readonly #seal: ScopedSeal;

  constructor(seal: ScopedSeal) {
    this.#seal = seal;
  }

  seal({ time, id, before }: Position): string {
    written.writeInt32BE(Math.floor(time / 2 ** 32), 0);
    written.writeUInt32BE(time >>> 0, 4);
    writeUuid(written, id, 8);
    return this.#seal.seal(types.position + (before === undefined ? 0 : before === 1 ? 1 : 2), written);
  }

  /** Null if the token is forged, truncated or of another list. */
  open(text: string): Position | null {
    const { type = 0, body } = this.#seal.open(text) ?? {};
    const taken = type - types.position;
    if (body?.length !== written.length || taken < 0 || taken > 2) return null;
    const position = { time: Number(body.readBigInt64BE(0)), id: uuidText(body.toString('hex', 8)) };
    return taken === 0 ? position : { ...position, before: taken === 1 ? 1 : -1 };
  }

  /** A cursor with a body of any length instead of a position. */
  sealBody(body: Uint8Array): string {
    return this.#seal.seal(types.body, body);
  }

  /** Null as in {@link open}. */
  openBody(text: string): Buffer | null {
    const opened = this.#seal.open(text);
    return opened?.type === types.body ? opened.body : null;
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
