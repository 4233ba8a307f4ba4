/**
 * SipHash-2-4 with 128 bits (Aumasson and Bernstein, 2012), a message authentication code for short messages. Its 64-bit words
 * are pairs of 32-bit halves here, low (`l`) and high (`h`).
 */
export class SipHash {
  readonly #key: readonly [k0l: number, k0h: number, k1l: number, k1h: number];

  /** @param key 16 bytes, known to nobody else */
  constructor(key: Buffer) {
    this.#key = [key.readInt32LE(0), key.readInt32LE(4), key.readInt32LE(8), key.readInt32LE(12)];
  }

  /** Writes the 16 bytes of the code to `out`, from `at` on; `out` may be the message's own memory. */
  write(message: Buffer, out: Buffer, at: number): void {
    const key = this.#key;
    let v0l = key[0] ^ 0x70736575;
    let v0h = key[1] ^ 0x736f6d65;
    let v1l = key[2] ^ 0x6e646f6d ^ 0xee;
    let v1h = key[3] ^ 0x646f7261;
    let v2l = key[0] ^ 0x6e657261;
    let v2h = key[1] ^ 0x6c796765;
    let v3l = key[2] ^ 0x79746573;
    let v3h = key[3] ^ 0x74656462;
    // the last word is what is left of the message, with its length in the highest byte
    const words = (message.length >> 3) + 1;
    for (let step = 0; step < words + 2; step += 1) {
      let wl = 0;
      let wh = 0;
      if (step < words) {
        wl = word(message, step * 8);
        wh = word(message, step * 8 + 4) | (step === words - 1 ? message.length << 24 : 0);
        v3l ^= wl;
        v3h ^= wh;
      } else if (step === words) v2l ^= 0xee;
      else v1l ^= 0xdd;

      for (let round = step < words ? 2 : 4; round > 0; round -= 1) {
        let low = (v0l + v1l) | 0;
        v0h = (v0h + v1h + carry(low, v1l)) | 0;
        v0l = low;
        low = (v1l << 13) | (v1h >>> 19);
        v1h = ((v1h << 13) | (v1l >>> 19)) ^ v0h;
        v1l = low ^ v0l;
        low = v0l;
        v0l = v0h;
        v0h = low;

        low = (v2l + v3l) | 0;
        v2h = (v2h + v3h + carry(low, v3l)) | 0;
        v2l = low;
        low = (v3l << 16) | (v3h >>> 16);
        v3h = ((v3h << 16) | (v3l >>> 16)) ^ v2h;
        v3l = low ^ v2l;

        low = (v0l + v3l) | 0;
        v0h = (v0h + v3h + carry(low, v3l)) | 0;
        v0l = low;
        low = (v3l << 21) | (v3h >>> 11);
        v3h = ((v3h << 21) | (v3l >>> 11)) ^ v0h;
        v3l = low ^ v0l;

        low = (v2l + v1l) | 0;
        v2h = (v2h + v1h + carry(low, v1l)) | 0;
        v2l = low;
        low = (v1l << 17) | (v1h >>> 15);
        v1h = ((v1h << 17) | (v1l >>> 15)) ^ v2h;
        v1l = low ^ v2l;
        low = v2l;
        v2l = v2h;
        v2h = low;
      }

      if (step < words) {
        v0l ^= wl;
        v0h ^= wh;
      } else {
        const half = at + (step - words) * 8;
        out.writeInt32LE(v0l ^ v1l ^ v2l ^ v3l, half);
        out.writeInt32LE(v0h ^ v1h ^ v2h ^ v3h, half + 4);
      }
    }
  }
}

/** Whether the sum of two halves, of which `addend` is one, is over 32 bits. */
function carry(sum: number, addend: number): 0 | 1 {
  return sum >>> 0 < addend >>> 0 ? 1 : 0;
}

/** Four bytes, the lowest first; those behind the end are 0. */
function word(bytes: Buffer, at: number): number {
  const high = ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | high;
}
