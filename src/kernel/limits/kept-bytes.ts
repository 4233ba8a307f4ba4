import { LRUCache } from 'lru-cache';
import { DomainError } from '../errors.ts';
import { type Counters, hashed } from './counters.ts';

/** Who pays for the bytes that a write keeps. */
export interface Payer {
  kind: 'user' | 'organization' | 'members' | 'network' | 'event';
  id: string;
  /** How many times the bounds it has; 1 if absent. */
  times?: number;
}

export interface KeptBytesBounds {
  /** Bytes that one payer may keep. */
  perMinute: number;
  perDay: number;
}

/** How much of a window a payer has used. */
interface Used {
  bytes: number;
  /** When the window ends, in Unix milliseconds. */
  expire: number;
}

/** What is counted here waits until it is as much, in bytes, or as old, in milliseconds. */
const batch = { bytes: 64 * 1024, age: 10_000 };

/** Whose use of a window this process remembers. */
const maxKnown = 10_000;

const windows = [
  { rule: 'bytes_minute', duration: 60_000 },
  { rule: 'bytes_day', duration: 86_400_000 },
] as const;

/**
 * The bytes that writes keep, as a currency beside requests (interface/bounds.md#stored-bytes): each payer has so many
 * in a minute and in a day, in all processes together. A write is refused once a bound has been reached, and counted
 * with what it really sent to be kept, so a payer may go over a bound by what is in flight. Small amounts are gathered,
 * and cost no statement each.
 */
export class KeptBytes {
  readonly #counters: Counters | null;
  readonly #bounds: KeptBytesBounds;
  /** By payer and window. */
  readonly #used = new LRUCache<string, Used>({ max: maxKnown });
  readonly #gathered = new Map<string, { payer: Payer; bytes: number }>();
  #timer: NodeJS.Timeout | undefined;

  /** @param counters null to lift every bound */
  constructor(counters: Counters | null, bounds: KeptBytesBounds) {
    this.#counters = counters;
    this.#bounds = bounds;
  }

  /** @throws DomainError RATE_LIMITED if one of the payers has used up a window */
  requireRoom(payers: readonly Payer[]): void {
    const now = Date.now();
    let wait = 0;
    for (const payer of payers) {
      for (const { rule } of windows) {
        const used = this.#used.get(keyOf(rule, payer));
        if (used && used.expire > now && used.bytes >= this.#boundOf(rule, payer)) {
          wait = Math.max(wait, used.expire - now);
        }
      }
    }
    if (wait > 0) throw new DomainError('RATE_LIMITED', { detail: tooMuch, retryAfter: wait / 1000 });
  }

  /** Counts what a write has kept. */
  spend(payers: readonly Payer[], bytes: number): void {
    if (this.#counters === null || bytes === 0) return;
    for (const payer of payers) {
      const key = `${payer.kind} ${payer.id}`;
      const entry = this.#gathered.get(key) ?? { payer, bytes: 0 };
      entry.bytes += bytes;
      this.#gathered.set(key, entry);
      if (entry.bytes >= batch.bytes) this.#count(key);
    }
    if (this.#gathered.size > 0 && !this.#timer) {
      this.#timer = setTimeout(() => this.flush(), batch.age);
      this.#timer.unref();
    }
  }

  /** Counts what has been gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const key of this.#gathered.keys()) this.#count(key);
  }

  #count(key: string): void {
    const entry = this.#gathered.get(key);
    if (!entry || !this.#counters) return;
    this.#gathered.delete(key);
    for (const { rule, duration } of windows) {
      const counter = keyOf(rule, entry.payer);
      // known at once: what comes before the answer must not find room that is taken
      const known = this.#used.get(counter);
      if (known) known.bytes += entry.bytes;
      else this.#used.set(counter, { bytes: entry.bytes, expire: Date.now() + duration });
      this.#counters
        .add(counter, Math.ceil(entry.bytes / kibibyte), duration)
        .then(({ points, expire }) => this.#used.set(counter, { bytes: points * kibibyte, expire }))
        // the database is down: nothing is written either
        .catch(() => undefined);
    }
  }

  /** One network has a quarter of a public event's day, and the largest one half of it: none can use all of it up. */
  #boundOf(rule: (typeof windows)[number]['rule'], { kind, times = 1 }: Payer): number {
    if (rule === 'bytes_minute') return this.#bounds.perMinute * times;
    return this.#bounds.perDay * (kind === 'network' ? Math.min(times / 4, 1 / 2) : times);
  }
}

/** Counters are 32-bit integers. */
const kibibyte = 1024;

const tooMuch = 'Too much data was written in a short time.';

function keyOf(rule: string, { kind, id }: Payer): string {
  return `${rule}:${hashed(`${kind} ${id}`)}`;
}
