import { setTimeout as sleep } from 'node:timers/promises';
import { inStep, type MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { Signal } from '../../kernel/signal.ts';
import { type End, guardAccess } from './access-guard.ts';
import type { ChangeRow } from './change.table.ts';
import { type ChangesInput, ViewCursors, viewOf } from './changes.ts';
import type { Batch, OrganizationReader } from './organization-reader.ts';
import { hasRead, isSince, type Place, placeAfter } from './place.ts';
import {
  type ChangePage,
  type ChangeView,
  changeFor,
  pause,
  placeAtEnd,
  placeNow,
  readChanges,
  secondsOf,
  sees,
} from './read-changes.ts';

/** What a stream sends. */
export type StreamMessage =
  | { type: 'change'; change: ChangeRow; cursor: string }
  /** Nothing is left for now. */
  | { type: 'caught up'; cursor: string }
  /** The last message. */
  | ({ type: 'end' } & End);

/** How many changes are read of the log at a time, and how many batches may wait for the stream. */
const pageSize = 50;
const maxBatches = 100;
/** Milliseconds after which a stream with nothing new says again that it is caught up, with a newer cursor. */
const remindAfter = 10 * 60_000;

/**
 * One stream: first it reads what is behind its place, then it follows the reader of its organization. If it falls behind, it
 * reads on its own again, so nothing piles up for it.
 */
export class ChangeStream {
  readonly #ctx: MemberContext;
  readonly #input: ChangesInput;
  readonly #view: ChangeView;
  readonly #cursors: ViewCursors;
  readonly #reader: OrganizationReader;
  readonly #signal = new Signal();
  /** Why it must end; null if it may go on. */
  #end: End | null = null;
  #place: Place | null = null;
  #page: ChangePage | null = null;
  /** The batches to be looked at; null while it reads on its own. */
  #batches: Batch[] | null = null;
  #leave: (() => void) | null = null;
  #reminder: NodeJS.Timeout | undefined;
  /** Whether to say once more that nothing is left. */
  #isDue = false;

  constructor(ctx: MemberContext, input: ChangesInput, reader: OrganizationReader) {
    this.#ctx = ctx;
    this.#input = input;
    this.#view = viewOf(ctx, input.kinds);
    this.#cursors = new ViewCursors(ctx, this.#view);
    this.#reader = reader;
  }

  /** Reads the first page. @throws DomainError INVALID_CURSOR, CURSOR_EXPIRED */
  async begin(): Promise<void> {
    const place = this.#cursors.open(this.#input);
    const { db, membership, now } = this.#ctx;
    const isNow = !place && this.#input.since === 'now';
    this.#place = isNow ? await placeAtEnd(db, membership.organizationId, now) : place;
    this.#page = await this.#read();
  }

  /** @param ended called once the stream is over, however it ends */
  async *messages(ended: () => void): AsyncGenerator<StreamMessage, void> {
    const unguard = guardAccess(this.#ctx, (end) => this.#finish(end));
    try {
      while (!this.#end) {
        yield* this.#backlog();
        yield* this.#live();
      }
      yield { type: 'end', ...(this.#end as End) };
    } catch (error) {
      yield { type: 'end', ...this.#failure(error) };
    } finally {
      clearTimeout(this.#reminder);
      unguard();
      this.#unfollow();
      ended();
    }
  }

  /** Everything up to now, and then follows the reader. */
  async *#backlog(): AsyncGenerator<StreamMessage, void> {
    while (!this.#end) {
      const page = this.#page ?? (await this.#read());
      this.#page = null;
      for (const { row, place } of page.items) {
        if (this.#end) return;
        this.#place = place;
        yield { type: 'change', change: changeFor(this.#view, row), cursor: this.#seal() };
      }
      this.#place = page.next;
      // what follows was written by one of very many open transactions (note 0058)
      if (page.hasMore && page.items.length === 0) await sleep(pause);
      if (page.hasMore) continue;
      if (this.#batches) return;
      // from here on the reader passes on new commits; those in between are read once more
      this.#batches = [];
      this.#leave = await this.#reader.follow({
        take: (batch) => this.#take(batch),
        end: (error) => this.#finish({ reason: 'refused', error }),
      });
    }
  }

  /** Whatever comes, until the stream ends or falls behind. */
  async *#live(): AsyncGenerator<StreamMessage, void> {
    this.#isDue = true;
    while (!this.#end && this.#batches) {
      const batch = this.#batches.shift();
      if (batch) yield* this.#shown(batch);
      else if (this.#isDue) yield this.#caughtUp();
      else await this.#signal.wait();
    }
  }

  #caughtUp(): StreamMessage {
    this.#isDue = false;
    clearTimeout(this.#reminder);
    this.#reminder = setTimeout(() => {
      this.#isDue = true;
      this.#signal.wake();
    }, remindAfter).unref();
    this.#place = { ...(this.#place as Place), at: secondsOf(new Date()) };
    return { type: 'caught up', cursor: this.#seal() };
  }

  async *#shown({ items, caughtUpAt }: Batch): AsyncGenerator<StreamMessage, void> {
    for (const { row, moment } of items) {
      if (this.#end) return;
      const place = this.#place as Place;
      if (hasRead(place, row) || !sees(this.#view, row)) continue;
      this.#place = placeAfter(place, moment, row);
      yield { type: 'change', change: changeFor(this.#view, row), cursor: this.#seal() };
    }
    const place = this.#place as Place;
    if (caughtUpAt && isSince(caughtUpAt, place.moment)) this.#place = placeNow(place, caughtUpAt, new Date());
  }

  #take(batch: Batch): void {
    if (!this.#batches) return;
    this.#batches.push(batch);
    if (this.#batches.length > maxBatches) this.#unfollow();
    this.#signal.wake();
  }

  #finish(end: End): void {
    this.#end ??= end;
    this.#signal.wake();
  }

  #unfollow(): void {
    this.#batches = null;
    this.#leave?.();
    this.#leave = null;
  }

  async #read(): Promise<ChangePage> {
    const { changesRetentionDays: retentionDays } = this.#ctx.services.settings;
    return await inStep(this.#ctx, ({ db, now }) =>
      readChanges(db, this.#view, { place: this.#place, limit: pageSize, now, retentionDays }),
    );
  }

  /** What cannot be read now can be when the client comes back; what is refused is refused then, too. */
  #failure(error: unknown): End {
    if (error instanceof DomainError && error.retryAfter === undefined) return { reason: 'refused', error };
    const { log, client } = this.#ctx;
    log.warn({ err: error, requestId: client.requestId }, 'a stream of changes ended');
    return { reason: 'over', error: null };
  }

  #seal(): string {
    return this.#cursors.seal(this.#place as Place);
  }
}
