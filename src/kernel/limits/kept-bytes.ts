import { LRUCache } from 'lru-cache';
import { type Counters, hashed } from '#shared-counters';
import { DomainError } from '../errors.ts';
import { type Party, partyKey } from './parties.ts';

export interface KeptBytesBounds {
  /** Bytes that one payer may write. */
  perMinute: number;
  perDay: number;
}

interface Used {
  bytes: number;
  /** When the window ends, in Unix milliseconds. */
  expire: number;
}

/** Bytes are collected in memory until there are this many, or until they are this old, in milliseconds. */
const batch = { bytes: 64 * 1024, age: 10_000 };

/** How many counters this process remembers. */
const maxKnown = 10_000;

const windows = [
  { rule: 'bytes_minute', duration: 60_000, period: 'a minute' },
  { rule: 'bytes_day', duration: 86_400_000, period: 'a day' },
] as const;

/**
 * Limits the bytes that each payer may write per minute and per day, across all processes (reference/limits.md#stored-bytes). A
 * write is refused once a quota is used up, and counted afterwards, so writes in flight may exceed a quota.
 */
export class KeptBytes {
  readonly #counters: Counters | null;
  readonly #bounds: KeptBytesBounds;
  /** By payer and window. */
  readonly #used = new LRUCache<string, Used>({ max: maxKnown });
  readonly #collected = new Map<string, { payer: Party; bytes: number }>();
  #timer: NodeJS.Timeout | undefined;

  /** @param counters null to switch all quotas off */
  constructor(counters: Counters | null, bounds: KeptBytesBounds) {
    this.#counters = counters;
    this.#bounds = bounds;
  }

  /** @throws DomainError RATE_LIMITED if one of the payers has used up a quota */
  requireRoom(payers: readonly Party[]): void {
    const { wait, period } = this.#usedUp(payers);
    if (wait === 0) return;
    const detail = `More data was written than is allowed within ${period}.`;
    throw new DomainError('RATE_LIMITED', { detail, retryAfter: wait / 1000 });
  }

  /** Milliseconds until no payer has used up a quota. */
  waitOf(payers: readonly Party[]): number {
    return this.#usedUp(payers).wait;
  }

  /** How long until no quota of the payers is used up, and the period of the last one. */
  #usedUp(payers: readonly Party[]): { wait: number; period: string } {
    const now = Date.now();
    let longest = { wait: 0, period: '' };
    for (const payer of payers) {
      for (const { rule, period } of windows) {
        const used = this.#used.get(keyOf(rule, payer));
        const wait = used && used.bytes >= this.#boundOf(rule, payer) ? used.expire - now : 0;
        if (wait > longest.wait) longest = { wait, period };
      }
    }
    return longest;
  }

  spend(payers: readonly Party[], bytes: number): void {
    if (this.#counters === null || bytes === 0) return;
    for (const payer of payers) {
      const key = partyKey(payer);
      const entry = this.#collected.get(key) ?? { payer, bytes: 0 };
      entry.bytes += bytes;
      this.#collected.set(key, entry);
      if (entry.bytes >= batch.bytes) this.#count(key);
    }
    if (this.#collected.size > 0 && !this.#timer) {
      this.#timer = setTimeout(() => this.flush(), batch.age);
      this.#timer.unref();
    }
  }

  /** Writes the collected bytes to the counters. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const key of this.#collected.keys()) this.#count(key);
  }

  #count(key: string): void {
    const entry = this.#collected.get(key);
    if (!entry || !this.#counters) return;
    this.#collected.delete(key);
    for (const { rule, duration } of windows) {
      const counter = keyOf(rule, entry.payer);
      // so that writes that arrive before the result see it
      const known = this.#used.get(counter);
      if (known) known.bytes += entry.bytes;
      else this.#used.set(counter, { bytes: entry.bytes, expire: Date.now() + duration });
      this.#counters
        .add(counter, Math.ceil(entry.bytes / kibibyte), duration)
        .then(({ points, expire }) => this.#used.set(counter, { bytes: points * kibibyte, expire }))
        // if the database is down, nothing is written either
        .catch(() => undefined);
    }
  }

  /** One network has a quarter of the daily quota, the largest half: none can use up that of a public event. */
  #boundOf(rule: (typeof windows)[number]['rule'], { kind, times = 1 }: Party): number {
    if (rule === 'bytes_minute') return this.#bounds.perMinute * times;
    return this.#bounds.perDay * (kind === 'network' ? Math.min(times / 4, 1 / 2) : times);
  }
}

/** The unit of the counters, which are 32-bit integers. */
const kibibyte = 1024;

function keyOf(rule: string, payer: Party): string {
  return `${rule}:${hashed(partyKey(payer))}`;
}
