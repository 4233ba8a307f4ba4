import type { Loading, Pool, RequestLimits, Turn, Work } from '#postgres-access';
import { DomainError } from '../errors.ts';
import type { Requester } from '../request.ts';
import { claimOf, onTurn, type PoolTurns, Turns, type TurnsOptions, takeTurn } from './turns.ts';

/** The maximum total size of the rows of one request: several times the size of any response. */
export const maxLoadBytes = 16_000_000;

/** The bytes that one request may load without a slot, and that all such requests may hold together. */
const free = { request: 128 * 1024, total: 32 * 1024 * 1024 };

/** Milliseconds after which a request that holds a slot for which others wait gets no further statement. */
const longestHold = 2_000;

/** The memory for loaded rows, which all requests share. */
export class LoadMemory {
  readonly slots: Turns;
  /** Bytes held by requests without a slot. */
  held = 0;

  /** @param largeValueBytes what all requests with slots may hold together; each may hold up to {@link maxLoadBytes} */
  constructor({ largeValueBytes, ...shares }: Omit<TurnsOptions, 'connections'> & { largeValueBytes: number }) {
    this.slots = new Turns({ ...shares, connections: Math.max(2, Math.floor(largeValueBytes / maxLoadBytes)) });
  }
}

/** The request must wait until others release memory; its rows are dropped and read again. */
export class NoRoom extends DomainError {
  constructor() {
    super('SERVICE_UNAVAILABLE', { detail: 'Too much data is being loaded at once.', retryAfter: 1 });
  }
}

/** The size of the rows that one request has loaded (note 0053). Beyond a small amount, it needs one of a few slots, in turns. */
export class Load {
  protected readonly requester: Requester;
  readonly #memory: LoadMemory;
  #bytes = 0;
  #slot: Turn | null = null;
  /** When the slot was taken, by `performance.now()`. */
  #heldSince = 0;
  #waiting: Promise<void> | null = null;
  #ended = false;

  constructor(requester: Requester, memory: LoadMemory) {
    this.requester = requester;
    this.#memory = memory;
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
    if (!this.#slot && !this.#ended) this.#memory.held += bytes;
    return null;
  }

  /** Stops counting rows that are no longer referenced. @param refusal why one of them was refused, if it was */
  giveBack(bytes: number, refusal: DomainError | null = null): void {
    this.#bytes -= bytes;
    if (!this.#slot && !this.#ended) this.#memory.held -= bytes;
    if (!refusal || refusal instanceof NoRoom) return;
    const { client, log, membership, viewer, tokenUserId } = this.requester;
    const user = viewer?.userId ?? tokenUserId;
    log.warn({ requestId: client.requestId, membership, user }, 'request refused: it loads too much data');
  }

  /** Waits for a slot. Never call it with a connection: requests with a slot may wait for one. @throws as {@link takeTurn} */
  async waitForRoom(): Promise<void> {
    if (this.#slot) return;
    // concurrent statements of one request share the slot
    this.#waiting ??= takeTurn(this.requester, this.#memory.slots, 'quick')
      .then((slot) => (this.#ended ? slot.end() : this.#use(slot)))
      .finally(() => {
        this.#waiting = null;
      });
    await this.#waiting;
  }

  /** @throws DomainError SERVICE_UNAVAILABLE if the request has held a slot for too long for which others wait */
  checkHold(): void {
    const isLong = this.#slot !== null && performance.now() - this.#heldSince > longestHold;
    if (isLong && this.#memory.slots.waiting > 0) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 2 });
  }

  /** Releases everything, once the response has been sent. */
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
    const slot = this.#memory.slots.takeAtOnce(claimOf(this.requester, 'quick'));
    if (slot) this.#use(slot);
    return slot !== null;
  }

  #use(slot: Turn): void {
    this.#slot = slot;
    this.#heldSince = performance.now();
    this.#memory.held -= this.#bytes;
  }
}

/** The rows of one transaction, or of one statement outside transactions, which fails if a row is refused. */
export class LoadPart implements Loading {
  readonly #load: Load;
  #bytes = 0;
  /** Why a row was refused, and all rows after it. */
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

  drop(): void {
    this.#load.giveBack(this.#bytes, this.refusal);
    this.#bytes = 0;
  }
}

/** What a request may use of the database. */
export class DatabaseShare extends Load implements RequestLimits {
  readonly #pools: PoolTurns;

  constructor(requester: Requester, memory: LoadMemory, pools: PoolTurns) {
    super(requester, memory);
    this.#pools = pools;
  }

  get userId(): string | null {
    return this.writer ?? this.requester.tokenUserId;
  }

  get writer(): string | null {
    return this.requester.viewer?.userId ?? null;
  }

  get waits(): Requester['waits'] {
    return this.requester.waits;
  }

  onTurn(pool: Pool, work: Work, start: (turn: Turn) => void, fail: (reason: Error) => void): void {
    onTurn(this.requester, this.#pools.of(pool), work, start, fail);
  }

  beginStatement(text: string): ReturnType<Requester['usage']['beginStatement']> {
    return this.requester.usage.beginStatement(text);
  }

  load(): LoadPart {
    return new LoadPart(this);
  }

  meansNoRoom(error: unknown): boolean {
    return error instanceof NoRoom;
  }
}
