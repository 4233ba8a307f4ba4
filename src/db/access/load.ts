import { DomainError } from '../../kernel/errors.ts';
import type { Requester } from '../../kernel/request.ts';
import type { Turn } from '../../kernel/turns/fair-queue.ts';
import { claimOf, takeTurn } from '../../kernel/turns/take-turn.ts';
import { Turns, type TurnsOptions } from '../../kernel/turns/turns.ts';

/** The maximum total size of the rows that one request loads: several times that of any response. */
export const maxLoadBytes = 16_000_000;

/** Bytes that a request may load without a slot, and that all such requests may hold together. */
const free = { request: 128 * 1024, total: 32 * 1024 * 1024 };

/** Milliseconds for which a request may hold a slot that others want, before its next statement is refused. */
const longestHold = 2_000;

/** The memory that all requests share for what they load. */
export class LoadMemory {
  readonly slots: Turns;
  /** Bytes held by requests without a slot. */
  held = 0;

  /** @param largeValueBytes what requests with much data may hold together; each may hold as much as one may load */
  constructor({ largeValueBytes, ...shares }: Omit<TurnsOptions, 'connections'> & { largeValueBytes: number }) {
    this.slots = new Turns({ ...shares, connections: Math.max(2, Math.floor(largeValueBytes / maxLoadBytes)) });
  }
}

/** The request must wait until others hold less; what was read is dropped, and is read again then. */
export class NoRoom extends DomainError {
  constructor() {
    super('SERVICE_UNAVAILABLE', { detail: 'Too much data is being loaded at once.', retryAfter: 1 });
  }
}

/**
 * What one request holds of the database's rows, inside and outside of transactions together (note 0053). Beyond
 * a small amount it needs one of a few slots, which organizations and users take in turn, as they do connections.
 */
export class Load {
  readonly #requester: Requester;
  readonly #memory: LoadMemory;
  #bytes = 0;
  #slot: Turn | null = null;
  /** Since when, by `performance.now()`. */
  #heldSince = 0;
  #waiting: Promise<void> | null = null;
  #ended = false;

  constructor(requester: Requester, memory: LoadMemory) {
    this.#requester = requester;
    this.#memory = memory;
  }

  /** Counts a row; returns why it must be dropped, or null. */
  take(bytes: number): DomainError | null {
    const total = this.#bytes + bytes;
    if (total > maxLoadBytes) return tooLarge();
    if (!this.#isFree(total, bytes) && !this.#takeSlot()) return new NoRoom();
    this.#bytes = total;
    if (!this.#slot && !this.#ended) this.#memory.held += bytes;
    return null;
  }

  /** Counts rows no longer: nobody refers to them. */
  giveBack(bytes: number): void {
    this.#bytes -= bytes;
    if (!this.#slot && !this.#ended) this.#memory.held -= bytes;
  }

  /**
   * Waits for a slot, which the request then keeps. Never called with a connection: who has a slot may wait for one.
   *
   * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if it does not come in time; ClientGone
   */
  async waitForRoom(): Promise<void> {
    if (this.#slot) return;
    // statements of one request that run at the same time share the slot
    this.#waiting ??= takeTurn(this.#requester, this.#memory.slots, 'quick')
      .then((slot) => (this.#ended ? slot.end() : this.#use(slot)))
      .finally(() => {
        this.#waiting = null;
      });
    await this.#waiting;
  }

  /**
   * Called before a statement that takes a turn: whoever holds a slot and waits, such as for locks of its own, makes way.
   *
   * @throws DomainError SERVICE_UNAVAILABLE if it has had a slot for long and others wait for one
   */
  makeWay(): void {
    const isLong = this.#slot !== null && performance.now() - this.#heldSince > longestHold;
    if (isLong && this.#memory.slots.isWanted) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 2 });
  }

  /** The response has been handed over: nothing is held any more. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#slot) this.#slot.end();
    else this.#memory.held -= this.#bytes;
    this.#slot = null;
  }

  #isFree(total: number, bytes: number): boolean {
    return this.#slot !== null || this.#ended || (total <= free.request && this.#memory.held + bytes <= free.total);
  }

  #takeSlot(): boolean {
    const slot = this.#memory.slots.takeAtOnce(claimOf(this.#requester, 'quick'));
    if (slot) this.#use(slot);
    return slot !== null;
  }

  #use(slot: Turn): void {
    this.#slot = slot;
    this.#heldSince = performance.now();
    this.#memory.held -= this.#bytes;
  }
}

/** What one statement outside of transactions, or one transaction, loads: it fails as a whole if a row is refused. */
export class LoadPart {
  readonly #load: Load;
  #bytes = 0;
  /** Why a row was refused; the rows after it are, too. */
  refusal: DomainError | null = null;

  constructor(load: Load) {
    this.#load = load;
  }

  /** Whether a row of this size may be kept. */
  takes(bytes: number): boolean {
    if (this.refusal) return false;
    this.refusal = this.#load.take(bytes);
    if (this.refusal) return false;
    this.#bytes += bytes;
    return true;
  }

  /** It failed: its rows are garbage. */
  drop(): void {
    this.#load.giveBack(this.#bytes);
    this.#bytes = 0;
  }
}

function tooLarge(): DomainError {
  return new DomainError('INVALID_QUERY', {
    detail: 'The request loads more than 16 MB; ask for smaller pages, or change fewer objects at once.',
  });
}
