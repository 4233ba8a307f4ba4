import type { Loading, Pool, RequestLimits, Turn, Work } from '#postgres-access';
import { DomainError } from '../errors.ts';
import type { Requester } from '../request.ts';
import { claimOf, onTurn, Turns, type TurnsOptions, takeTurn } from './turns.ts';

/** The maximum total size of the rows of one request: several times the size of any response. */
export const maxLoadBytes = 16_000_000;

/** The bytes that one request may load without a slot, and that all such requests may hold together. */
const free = { request: 128 * 1024, total: 32 * 1024 * 1024 };

/** Milliseconds after which a request that holds a slot for which others wait gets no further statement. */
const longestHold = 2_000;

/** The maximum size of a page as JSON, unless its first row is larger; less than a GraphQL response (`maxAnswerBytes`). */
const maxPageBytes = 4_000_000;
/** The maximum number of bytes that one byte takes in JSON: `\u0001`. */
const longestEscape = 6;

type Limited = { options: { max: number } };

/** What all requests share: the connections of each pool, the primary's and the replicas', and the memory for loaded rows. */
export class SharedDatabase {
  readonly primary: Turns;
  readonly slots: Turns;
  /** Bytes held by requests without a slot. */
  held = 0;
  readonly #shares: Omit<TurnsOptions, 'connections'>;
  readonly #turns = new WeakMap<Limited, Turns>();

  /** @param largeValueBytes what all requests with slots may hold together; each may hold up to {@link maxLoadBytes} */
  constructor(
    primary: Limited,
    { largeValueBytes, ...shares }: Omit<TurnsOptions, 'connections'> & { largeValueBytes: number },
  ) {
    this.#shares = shares;
    this.primary = this.of(primary);
    this.slots = new Turns({ ...shares, connections: Math.max(2, Math.floor(largeValueBytes / maxLoadBytes)) });
  }

  of(pool: Limited): Turns {
    const known = this.#turns.get(pool);
    if (known) return known;
    // one is reserved for background work and the counters of limits
    const turns = new Turns({ ...this.#shares, connections: Math.max(1, pool.options.max - 1) });
    this.#turns.set(pool, turns);
    return turns;
  }
}

/** The request must wait until others release memory; its rows are dropped and read again. */
export class NoRoom extends DomainError {
  constructor() {
    super('SERVICE_UNAVAILABLE', { detail: 'Too much data is being loaded at once.', retryAfter: 1 });
  }
}

/**
 * What one request may use of the database: connections when it is its turn, and memory for the rows that it has loaded (note
 * 0053), which beyond a small amount needs one of a few slots, in turns.
 */
export class DatabaseShare implements RequestLimits {
  readonly waits: Requester['waits'];
  readonly usage: Requester['usage'];
  readonly #requester: Requester;
  readonly #shared: SharedDatabase;
  #bytes = 0;
  #slot: Turn | null = null;
  /** When the slot was taken, by `performance.now()`. */
  #heldSince = 0;
  #waiting: Promise<void> | null = null;
  #ended = false;

  constructor(requester: Requester, shared: SharedDatabase) {
    this.waits = requester.waits;
    this.usage = requester.usage;
    this.#requester = requester;
    this.#shared = shared;
  }

  get userId(): string | null {
    return this.writer ?? this.#requester.tokenUserId;
  }

  get writer(): string | null {
    return this.#requester.viewer?.userId ?? null;
  }

  onTurn(pool: Pool, work: Work, start: (turn: Turn) => void, fail: (reason: Error) => void): void {
    onTurn(this.#requester, this.#shared.of(pool), work, start, fail);
  }

  load(endsEarly?: () => void): LoadPart {
    return new LoadPart(this, endsEarly);
  }

  async withRoom<Result>(run: () => Promise<Result>, isInside: () => boolean): Promise<Result> {
    while (true) {
      if (!isInside()) this.checkHold();
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof NoRoom) || isInside()) throw error;
      }
      await this.waitForRoom();
    }
  }

  /** Counts a row; returns the error if it must be dropped, otherwise null. */
  take(bytes: number): DomainError | null {
    const total = this.#bytes + bytes;
    if (total > maxLoadBytes) {
      const detail = 'The request loads more than 16 MB; ask for smaller pages, or change fewer objects at once.';
      return new DomainError('INVALID_QUERY', { detail });
    }
    if (!this.#isFree(total, bytes) && !this.#takeSlot()) return new NoRoom();
    this.#bytes = total;
    if (!this.#slot && !this.#ended) this.#shared.held += bytes;
    return null;
  }

  /** Stops counting rows that are no longer referenced. @param refusal why one of them was refused, if it was */
  giveBack(bytes: number, refusal: DomainError | null = null): void {
    this.#bytes -= bytes;
    if (!this.#slot && !this.#ended) this.#shared.held -= bytes;
    if (!refusal || refusal instanceof NoRoom) return;
    const { client, log, membership, viewer, tokenUserId } = this.#requester;
    const user = viewer?.userId ?? tokenUserId;
    log.warn({ requestId: client.requestId, membership, user }, 'request refused: it loads too much data');
  }

  /** Waits for a slot. Never call it with a connection: requests with a slot may wait for one. @throws as {@link takeTurn} */
  async waitForRoom(): Promise<void> {
    if (this.#slot) return;
    // concurrent statements of one request share the slot
    this.#waiting ??= takeTurn(this.#requester, this.#shared.slots, 'quick')
      .then((slot) => (this.#ended ? slot.end() : this.#use(slot)))
      .finally(() => {
        this.#waiting = null;
      });
    await this.#waiting;
  }

  /** @throws DomainError SERVICE_UNAVAILABLE if the request has held a slot for too long for which others wait */
  checkHold(): void {
    const isLong = this.#slot !== null && performance.now() - this.#heldSince > longestHold;
    if (isLong && this.#shared.slots.waiting > 0) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 2 });
  }

  /** Releases everything, once the response has been sent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#slot) this.#slot.end();
    else this.#shared.held -= this.#bytes;
    this.#slot = null;
  }

  #isFree(total: number, bytes: number): boolean {
    return this.#slot !== null || this.#ended || (total <= free.request && this.#shared.held + bytes <= free.total);
  }

  #takeSlot(): boolean {
    const slot = this.#shared.slots.takeAtOnce(claimOf(this.#requester, 'quick'));
    if (slot) this.#use(slot);
    return slot !== null;
  }

  #use(slot: Turn): void {
    this.#slot = slot;
    this.#heldSince = performance.now();
    this.#shared.held -= this.#bytes;
  }
}

/** The rows of one transaction, or of one statement outside transactions, which fails if a row is refused. */
export class LoadPart implements Loading {
  readonly #share: DatabaseShare;
  /** If given, a page that is too large is cut off instead. */
  readonly #endsEarly: (() => void) | undefined;
  #bytes = 0;
  #measured = 0;
  #json = 0;
  #isCutOff = false;
  /** Why a row was refused, and all rows after it. */
  refusal: DomainError | null = null;

  constructor(share: DatabaseShare, endsEarly?: () => void) {
    this.#share = share;
    this.#endsEarly = endsEarly;
  }

  takes(bytes: number): boolean {
    if (this.refusal || this.#isCutOff) return false;
    this.refusal = this.#share.take(bytes);
    if (this.refusal) return false;
    this.#bytes += bytes;
    return true;
  }

  added(rows: unknown[]): void {
    // most pages are too small to need measuring
    if (!this.#endsEarly || this.#bytes * longestEscape <= maxPageBytes) return;
    for (; this.#measured < rows.length; this.#measured += 1) {
      this.#json += Buffer.byteLength(JSON.stringify(rows[this.#measured]));
    }
    if (this.#json <= maxPageBytes || rows.length === 1) return;
    rows.pop();
    this.#isCutOff = true;
  }

  end(): void {
    if (this.#isCutOff) this.#endsEarly?.();
  }

  drop(): void {
    this.#share.giveBack(this.#bytes, this.refusal);
    this.#bytes = 0;
  }
}
