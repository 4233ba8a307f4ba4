import { setTimeout as sleep } from 'node:timers/promises';
import { hasRead, isSince, type Place, placeAfter } from '#log-places';
import { inStep, type MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { Signal } from '../../kernel/signal.ts';
import { type End, guardAccess } from './access-guard.ts';
import type { ChangeRow } from './change.table.ts';
import { type ChangesInput, ViewCursors, viewOf } from './changes.ts';
import type { Batch, OrganizationReader } from './organization-reader.ts';
import {
  type ChangePage,
  changeFor,
  pause,
  placeAtEnd,
  placeNow,
  readChanges,
  secondsOf,
  sees,
} from './read-changes.ts';
import type { ChangeView, StoredChange } from './read-log.ts';

export type StreamMessage =
  | { type: 'change'; change: ChangeRow; cursor: string }
  /** Nothing is left for now. */
  | { type: 'caught up'; cursor: string }
  /** The last message. */
  | ({ type: 'end' } & End);

/** How many changes are read at a time, and how many batches of the organization's reader may wait. */
const pageSize = 50;
const maxBatches = 100;
/** Milliseconds after which an idle stream sends `caught up` again, with a newer cursor. */
const remindAfter = 10 * 60_000;

/**
 * One stream: it reads the log up to its end, then follows the reader of its organization. If it falls behind, it reads the log
 * directly again, so nothing piles up in memory.
 */
export class ChangeStream {
  readonly #ctx: MemberContext;
  readonly #input: ChangesInput;
  readonly #view: ChangeView;
  readonly #cursors: ViewCursors;
  readonly #reader: OrganizationReader;
  readonly #signal = new Signal();
  #end: End | null = null;
  #place: Place | null = null;
  #page: ChangePage | null = null;
  /** The waiting batches of the reader; null while the stream reads the log directly. */
  #batches: Batch[] | null = null;
  #leave: (() => void) | null = null;
  #reminder: NodeJS.Timeout | undefined;
  /** Whether to send `caught up`. */
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

  /** @param ended called once the stream is over */
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

  /** Sends everything up to now, and begins to follow the reader. */
  async *#backlog(): AsyncGenerator<StreamMessage, void> {
    while (!this.#end) {
      const page = this.#page ?? (await this.#read());
      this.#page = null;
      for (const { row, place } of page.items) {
        if (this.#end) return;
        yield this.#change(row, place);
      }
      this.#place = page.next;
      // one of very many open transactions wrote the next change (note 0058)
      if (page.hasMore && page.items.length === 0) await sleep(pause);
      if (page.hasMore) continue;
      if (this.#batches) return;
      // new commits arrive from the reader once this resolves; those in between are read by one more page
      this.#batches = [];
      this.#leave = await this.#reader.follow({
        take: (batch) => this.#take(batch),
        end: (error) => this.#finish({ reason: 'refused', error }),
      });
    }
  }

  /** Sends the batches of the reader, until the stream ends or falls behind. */
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
    return { type: 'caught up', cursor: this.#cursors.seal(this.#place) };
  }

  async *#shown({ items, caughtUpAt }: Batch): AsyncGenerator<StreamMessage, void> {
    for (const { row, moment } of items) {
      if (this.#end) return;
      const place = this.#place as Place;
      if (hasRead(place, row) || !sees(this.#view, row)) continue;
      yield this.#change(row, placeAfter(place, moment, row));
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

  /** After a temporary failure the client can reconnect at once. */
  #failure(error: unknown): End {
    if (error instanceof DomainError && error.retryAfter === undefined) return { reason: 'refused', error };
    const { log, client } = this.#ctx;
    log.warn({ err: error, requestId: client.requestId }, 'a stream of changes ended');
    return { reason: 'over', error: null };
  }

  #change(row: StoredChange, place: Place): StreamMessage {
    this.#place = place;
    return { type: 'change', change: changeFor(this.#view, row), cursor: this.#cursors.seal(place) };
  }
}
