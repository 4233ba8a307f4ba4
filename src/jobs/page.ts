import type { Place } from '../domain/change/place.ts';
import type { EndpointAnswer } from '../domain/webhook/endpoint.ts';
import type { ReadPage } from '../domain/webhook/read-page.ts';
import type { Progress, Reached, SentChange } from '../domain/webhook/record-progress.ts';
import { most } from '../domain/webhook/share-out.ts';
import type { Turn } from '../domain/webhook/turns.ts';
import { placeOf } from '../domain/webhook/webhook-place.ts';
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

/** Milliseconds after which a delivery no longer keeps others from a place of the process. */
const longPlace = 1_000;

/** Sends a change once, and begins to record what became of it. */
type Send = (item: PageItem) => Promise<{ recorded: Promise<void> }>;

/**
 * Changes of one webhook that are sent together during a turn, those of an object one after the other: what was due of those that wait, and
 * a page of the log (note 0059).
 */
export class Page {
  readonly turn: Turn;
  /** How many deliveries it may have in flight. */
  #places: number;
  readonly #due: PageItem[];
  readonly #read: PageItem[];
  readonly #next: { place: Place; more: boolean } | null;
  /** How many changes of the log are behind the place. */
  #passed = 0;
  /** Whether the webhook was redirected, so that this page does not move its place any more. */
  #isRedirected = false;
  #isOver = false;
  /** When it begins nothing more, by `performance.now()`: also in a process that was stopped for a while. */
  readonly #until: number;
  #isClosed = false;
  /** Whether what is to wait, and the last place, were given to be recorded. */
  #isRecorded = false;
  /** How many changes may still begin. */
  #left: number;
  /** What was begun and is not recorded, and when that was, by `performance.now()`. */
  readonly #underWay = new Map<PageItem, number>();
  /** The objects of which nothing has begun. */
  readonly #waiting: PageItem[][];
  readonly #workers: Promise<void>[] = [];
  #work: () => Promise<void> = async () => undefined;

  /**
   * @param due changes that waited
   * @param read a page of the log, if it was read
   * @param time milliseconds after which it begins nothing more
   */
  constructor(turn: Turn, due: readonly Omit<SentChange, 'isQueued'>[], read: ReadPage | null, time: number) {
    this.turn = turn;
    this.#until = performance.now() + time;
    this.#due = due.map((each) => ({ sent: { ...each, isQueued: true }, place: null, state: 'waiting', answer: null }));
    // since the page was read, an owner may have asked for one of them again
    const dueIds = new Set(due.map(({ change }) => change.id));
    const dueObjects = new Set(due.map(keyOf));
    const stateOf = ({ change, state }: ReadPage['items'][number]) =>
      dueIds.has(change.id) ? 'known' : dueObjects.has(keyOf({ change })) ? 'blocked' : state;
    this.#read = (read?.items ?? []).map((item) => ({
      sent: { seq: item.seq, change: item.change, attempts: 0, isQueued: false },
      place: item.place,
      state: stateOf(item),
      answer: null,
    }));
    this.#next = read && { place: read.next, more: read.more };
    // whether the endpoint works again is found out by few
    this.#left = turn.healthy ? Number.POSITIVE_INFINITY : turn.places;
    this.#waiting = this.#objects();
    this.#places = Math.min(turn.places, this.#waiting.length);
  }

  /** How many places it takes: until all of it is recorded, since the turn must not end before. */
  get sending(): number {
    return this.#isClosed ? Math.min(this.#underWay.size, this.#places) : this.#places;
  }

  /** How many of its places are taken by deliveries that take longer than a second. */
  get slow(): number {
    const since = performance.now() - longPlace;
    const slow = [...this.#underWay.values()].filter((begun) => begun < since).length;
    return Math.min(slow, this.sending);
  }

  /** The objects of which a change is under way. */
  get busy(): ReturnType<typeof objectOf>[] {
    return [...this.#underWay.keys()].map(({ sent }) => objectOf(sent.change));
  }

  /** What is left to do once it is closed and recorded; not if it could read nothing, since others still write. */
  get left(): { reads: boolean; sends: boolean } {
    const reads = this.#next?.more === true || this.#read.some(({ state }) => state === 'waiting');
    const sends = this.#due.length > 0 || this.#read.some(({ sent }) => sent.isQueued);
    return { reads: reads && this.#read.length > 0, sends };
  }

  /** Begins no other change. */
  end(): void {
    this.#isOver = true;
  }

  /** Whether it could use more places. */
  get isCrowded(): boolean {
    return this.#canBegin && this.turn.healthy && this.#places < most.webhook && this.#waiting.length > 0;
  }

  get #canBegin(): boolean {
    return !this.#isOver && this.#left > 0 && performance.now() < this.#until;
  }

  /**
   * Sends the changes, until all are sent or the page ends.
   *
   * @param send sends one and sees to what becomes of it
   * @param mayBegin asked before each; if one may not, the rest is left
   */
  async send(send: Send, mayBegin: () => boolean): Promise<void> {
    this.#work = async () => {
      for (let items = this.#waiting.shift(); items; items = this.#waiting.shift()) {
        for (const item of items) {
          if (!this.#canBegin) return;
          if (!mayBegin()) return this.end();
          this.#left -= 1;
          this.#underWay.set(item, performance.now());
          item.state = 'sending';
          const { recorded } = await send(item);
          const forget = () => void this.#underWay.delete(item);
          recorded.then(forget, forget);
        }
      }
    };
    this.#start(this.#places);
    // some may be added meanwhile
    for (const worker of this.#workers) await worker;
  }

  /** Sends more at once. */
  grow(places: number): void {
    this.#places += places;
    this.#start(places);
  }

  #start(places: number): void {
    for (let each = 0; each < places; each += 1) this.#workers.push(this.#work());
  }

  /** The changes that may be sent, by object. Of a webhook whose last try had no answer, those come first that were not tried yet. */
  #objects(): PageItem[][] {
    const inOrder = this.turn.answering ? [...this.#due, ...this.#read] : [...this.#read, ...this.#due];
    const waiting = inOrder.filter(({ state }) => state === 'waiting');
    return [...Map.groupBy(waiting, ({ sent }) => keyOf(sent)).values()];
  }

  /** Ends the page: what is still in flight, and what it did not come to, is to wait. */
  close(): void {
    this.#isOver = true;
    this.#isClosed = true;
  }

  /** What is to be recorded now. */
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
    // once: later on nothing is waiting any more, and what was to be read again would be queued
    const queued = this.#isClosed && !this.#isRecorded ? this.#queue() : [];
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
    const isRecorded = this.#isRecorded;
    this.#isRecorded = this.#isClosed;
    if (!this.#next || this.#isRedirected || isRecorded) return null;
    const before = this.#passed;
    const isPassed = ({ sent, state }: PageItem) => state === 'done' || state === 'known' || sent.isQueued;
    while (this.#passed < this.#read.length && isPassed(this.#read[this.#passed] as PageItem)) this.#passed += 1;
    const isWhole = this.#isClosed && this.#passed === this.#read.length;
    if (this.#passed === before && !this.#isClosed) return null;
    const to = isWhole ? this.#next.place : (this.#read[this.#passed - 1]?.place ?? placeOf(this.turn));
    return { redirectedAt: this.turn.redirected_at, to, more: !isWhole || this.#next.more };
  }

  /** The webhook was redirected meanwhile: what this page has read of the log does not move its place any more. */
  redirect(): void {
    this.#isRedirected = true;
  }
}

/** The object of a change, as a text. */
function keyOf({ change }: Pick<SentChange, 'change'>): string {
  return Object.values(objectOf(change)).join(' ');
}
