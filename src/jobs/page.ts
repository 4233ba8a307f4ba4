import type { Place } from '../domain/change/place.ts';
import type { EndpointAnswer } from '../domain/webhook/endpoint.ts';
import type { ReadPage } from '../domain/webhook/read-page.ts';
import type { Progress, Reached, SentChange } from '../domain/webhook/record-progress.ts';
import type { Turn } from '../domain/webhook/turns.ts';
import { encodedPlace, placeOf } from '../domain/webhook/webhook-place.ts';
import { objectOf, type QueuedChange } from '../domain/webhook/webhook-queue.ts';

/** A change of a page. */
export interface PageItem {
  sent: SentChange;
  /** Where to read on after it; null if it waited in `webhook_due`. */
  place: Place | null;
  /**
   * `waiting` has not begun, `blocked` cannot, since an earlier change of its object waits, and `known` waits itself; `delivered` is not
   * recorded yet, `dropped` was given up before it was tried; of what is `done` nothing has to be recorded any more.
   */
  state: 'waiting' | 'blocked' | 'known' | 'sending' | 'delivered' | 'dropped' | 'done';
  answer: EndpointAnswer | null;
}

/** Sends a change, or throws the reason of the signal. */
type Send = (item: PageItem) => Promise<void>;

/**
 * Changes of one webhook that are sent together during a turn, those of an object one after the other: what was due of those that wait, and
 * a page of the log (note 0059).
 */
export class Page {
  readonly turn: Turn;
  /** How many deliveries it may have in flight. */
  readonly #places: number;
  readonly #due: PageItem[];
  readonly #read: PageItem[];
  readonly #next: { place: Place; more: boolean } | null;
  /** The place of the webhook in the database, as far as is known. */
  #from: Buffer | null;
  /** How many changes of the log are behind it. */
  #passed = 0;
  /** Whether a replay has moved it. */
  #isMoved = false;
  #isOver = false;
  #isClosed = false;
  /** Whether its last place was given to be recorded. */
  #isRecorded = false;
  /** How many changes may still begin. */
  #left: number;
  #inFlight = 0;
  /** How many results are being recorded: the turn must not end before. */
  recording = 0;

  /**
   * @param due changes that waited
   * @param read a page of the log, if it was read
   */
  constructor(turn: Turn, due: readonly Omit<SentChange, 'isQueued'>[], read: ReadPage | null) {
    this.turn = turn;
    this.#from = turn.place;
    this.#due = due.map((each) => ({ sent: { ...each, isQueued: true }, place: null, state: 'waiting', answer: null }));
    this.#read = (read?.items ?? []).map(({ seq, change, place, state }) => ({
      sent: { seq, change, attempts: 0, isQueued: false },
      place,
      state: state === 'free' ? 'waiting' : state,
      answer: null,
    }));
    this.#next = read && { place: read.next, more: read.more };
    // whether the endpoint works again is found out by few
    this.#left = turn.healthy ? Number.POSITIVE_INFINITY : turn.places;
    this.#places = Math.min(turn.places, this.#objects().length);
  }

  /** How many places it takes. */
  get sending(): number {
    return this.#isClosed ? this.#inFlight + this.recording : Math.max(this.#places, this.#inFlight);
  }

  /** The objects of which a change is in flight. */
  get busy(): ReturnType<typeof objectOf>[] {
    return [...this.#due, ...this.#read]
      .filter(({ state }) => state === 'sending')
      .map(({ sent }) => objectOf(sent.change));
  }

  /** Whether anything of it could be sent at once. */
  get hasMore(): boolean {
    const isLeft = ({ state }: PageItem) => state === 'waiting' || state === 'blocked';
    return this.#next?.more === true || this.#due.length > 0 || this.#read.some(isLeft);
  }

  /** Begins no other change. */
  end(): void {
    this.#isOver = true;
  }

  /**
   * Sends the changes, until all are sent or the page ends.
   *
   * @param send sends one and sees to what becomes of it
   */
  async send(send: Send): Promise<void> {
    const objects = this.#objects().values();
    const work = async () => {
      for (const items of objects) {
        for (const item of items) {
          if (this.#isOver || this.#left <= 0) return;
          this.#left -= 1;
          this.#inFlight += 1;
          item.state = 'sending';
          try {
            await send(item);
          } finally {
            this.#inFlight -= 1;
          }
        }
      }
    };
    await Promise.all(Array.from({ length: this.#places }, work));
  }

  /** The changes that may be sent, by object. Of a webhook whose last try had no answer, those come first that were not tried yet. */
  #objects(): PageItem[][] {
    const inOrder = this.turn.answering ? [...this.#due, ...this.#read] : [...this.#read, ...this.#due];
    const waiting = inOrder.filter(({ state }) => state === 'waiting');
    const keyOf = ({ sent }: PageItem) => Object.values(objectOf(sent.change)).join(' ');
    return [...Map.groupBy(waiting, keyOf).values()];
  }

  /** Ends the page: what is still in flight, and what it did not come to, is to wait. */
  close(): void {
    this.#isOver = true;
    this.#isClosed = true;
  }

  /** What is to be recorded now; call {@link settle} with it once it is. */
  progress(): Progress {
    const { webhook_id, organization_id, turn } = this.turn;
    const all = [...this.#due, ...this.#read];
    const delivered = all.flatMap((item) => {
      const { sent, state, answer } = item;
      if (state !== 'delivered' || !answer) return [];
      item.state = 'done';
      return { sent: { ...sent }, answer };
    });
    const isFree = ({ state }: PageItem) => state === 'dropped' || (state === 'waiting' && this.#isClosed);
    const released = all.filter((item) => item.sent.isQueued && isFree(item));
    const queued = this.#isClosed ? this.#queue() : [];
    for (const item of released) item.state = 'done';
    return {
      ...{ key: { webhook_id, organization_id, turn }, delivered, queued },
      released: released.map(({ sent }) => sent.change.id),
      reached: this.#reached(),
    };
  }

  /** Of the changes of the log up to the last one that has begun, those that are not done: the rest is read again. */
  #queue(): QueuedChange[] {
    const hasBegun = ({ state }: PageItem) => state !== 'waiting' && state !== 'blocked' && state !== 'known';
    const isLeft = this.#read.some(({ state }) => state === 'waiting');
    const end = isLeft ? this.#read.findLastIndex(hasBegun) + 1 : this.#read.length;
    return this.#read.slice(0, end).flatMap((item) => {
      const { sent, state } = item;
      const waits = state === 'waiting' || state === 'blocked' || state === 'dropped';
      if (sent.isQueued || !(waits || state === 'sending')) return [];
      sent.isQueued = true;
      if (waits) item.state = 'done';
      return { ...sent, isUnderWay: !waits };
    });
  }

  /** The place up to which everything is done, or waits. */
  #reached(): Reached | null {
    if (!this.#next || this.#isMoved || this.#isRecorded) return null;
    this.#isRecorded = this.#isClosed;
    const before = this.#passed;
    const isPassed = ({ sent, state }: PageItem) => state === 'done' || state === 'known' || sent.isQueued;
    while (this.#passed < this.#read.length && isPassed(this.#read[this.#passed] as PageItem)) this.#passed += 1;
    const isWhole = this.#isClosed && this.#passed === this.#read.length;
    if (this.#passed === before && !this.#isClosed) return null;
    const to = isWhole ? this.#next.place : (this.#read[this.#passed - 1]?.place ?? placeOf(this.turn));
    return { from: this.#from, to, more: !isWhole || this.#next.more };
  }

  /** @param isMoved whether a replay has moved the webhook meanwhile */
  settle({ reached }: Progress, isMoved: boolean): void {
    if (isMoved) this.#isMoved = true;
    else if (reached) this.#from = encodedPlace(reached.to);
  }
}
