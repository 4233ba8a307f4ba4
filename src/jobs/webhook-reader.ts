import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Place } from '#log-places';
import { prepared } from '#postgres-access';
import type { ChangeKind } from '../domain/change/change.table.ts';
import { changeFor, placeAtEnd, type ReadChangesOptions, readChanges } from '../domain/change/read-changes.ts';
import type { ChangeView } from '../domain/change/read-log.ts';
import { jsonb, tables } from '../domain/tables/tables.ts';
import {
  chargeDeliveries,
  deliveriesOf,
  deliveryPayers,
  type LoggedChange,
  queueDeliveries,
  refetchesOf,
} from '../domain/webhook/delivery-jobs.ts';
import type { Database } from '../engine/database.ts';
import { lease } from '../engine/jobs/claims.ts';
import { inIndexOrder } from '../engine/planner.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import type { ChangeWatch } from './change-watch.ts';
import type { LaneScope } from './runner.ts';

interface WebhookReaderOptions extends LaneScope {
  changes: Pick<ChangeWatch, 'watchAll'>;
  retentionDays: number;
  limits: Limits;
}

/** Milliseconds between looks for webhooks whose rows say that there is more to read, in case the process that read for them died. */
const interval = 10_000;
/** Milliseconds until the next round if there is more, no webhook had to read, one has no room or is locked, or after a failure. */
const pause = { more: 0, idle: 50, blocked: 20, failed: 1_000 };

/** Queues changes for webhooks as soon as they are committed, alongside other processes (note 0059). */
export class WebhookReader {
  readonly #options: WebhookReaderOptions;
  /** The organizations that may have changed; null for all. */
  #changed: Set<string> | null = null;
  #isWanted = false;
  /** Whether a webhook had no room in the last round. */
  #isCrowded = false;
  #unwatch: () => unknown = () => undefined;
  #reading: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #ending = new AbortController();

  constructor(options: WebhookReaderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#unwatch = this.#options.changes.watchAll((changed) => this.#note(changed));
    this.#timer = setInterval(() => this.#note(new Set()), interval).unref();
    this.#note(null);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#unwatch();
    clearInterval(this.#timer);
    await this.#reading;
  }

  /** Called after deliveries are recorded: webhooks that had no room may have some now. */
  look(): void {
    if (this.#isCrowded) this.#note(new Set());
  }

  #note(changed: ReadonlySet<string> | null): void {
    if (changed === null) this.#changed = null;
    for (const id of changed ?? []) this.#changed?.add(id);
    this.#isWanted = true;
    if (!this.#ending.signal.aborted) this.#reading ??= this.#read();
  }

  async #read(): Promise<void> {
    const { db, limits, log, nudge, retentionDays } = this.#options;
    const { signal } = this.#ending;
    let failed = false;
    while (!signal.aborted && this.#isWanted) {
      const changed = this.#changed;
      this.#changed = new Set();
      this.#isWanted = false;
      this.#isCrowded = false;
      let wait = pause.more;
      try {
        const readers = await findLogReaders(db, changed && [...changed]);
        if (readers.length === 0) wait = pause.idle;
        for (const reader of readers) {
          if (!reader.room || limits.keptBytes.waitOf(deliveryPayers(reader)) > 0) {
            this.#changed?.add(reader.organization_id);
            this.#isCrowded = true;
            wait = pause.blocked;
            continue;
          }
          const { changes, more } = await readWebhookLog(db, reader, { now: new Date(), retentionDays });
          chargeDeliveries(limits, reader, changes);
          if (changes.length > 0) nudge('deliveries');
          else if (more) wait = pause.blocked;
          if (more) this.#note(new Set([reader.organization_id]));
        }
        failed = false;
      } catch (error) {
        if (!failed) log.warn({ err: error }, 'cannot read changes for webhooks');
        failed = true;
        wait = pause.failed;
        this.#note(changed);
      }
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
    this.#reading = null;
  }
}

/** How many changes of a webhook may wait, most of them for another attempt (note 0059). */
const mostWaiting = sql.lit(10_000);
/** How many changes are read at once, if fewer could be sent now: the rest stays in the log. */
const pageSize = 100;

export interface LogReader {
  id: string;
  organization_id: string;
  maker_id: string | null;
  kinds: ChangeKind[];
  place: Place | null;
  redirected_at: string | null;
  /** Whether it may read: not while too many changes wait, or too many could be sent now. */
  room: boolean;
}

type ReadingTime = Pick<ReadChangesOptions, 'now' | 'retentionDays'>;

/**
 * The active webhooks that should read the log: those of changed organizations, those that have not reached its end, and those that
 * have read nothing for an hour, because the log expires.
 *
 * @param changed organizations; null for any
 */
export async function findLogReaders(db: Database, changed: readonly string[] | null): Promise<LogReader[]> {
  return await db.rows(logReaders({ changed }), inIndexOrder);
}

const logReaders = prepared(
  (at: { changed: readonly string[] | null }) => sql<LogReader>`select w.id, w.organization_id, o.maker_id, w.kinds,
        w.place, w.redirected_at,
        (select count(*) from (select from job where ${deliveriesOf(sql`w.id`)} limit ${mostWaiting}) waiting) < ${mostWaiting}
          and (select count(*) from (select from job where ${deliveriesOf(sql`w.id`)} and due_at < ${lease} limit ${sql.lit(pageSize)}) due) < ${sql.lit(pageSize)} as room
      from webhook w join organization o on o.id = w.organization_id where w.status = 'active' and (${at.changed}::uuid[] is null or w.organization_id = any(${at.changed}::uuid[])
        or w.unread or (w.place->>'at')::bigint < extract(epoch from now()) - 3600)`,
);

const lockUnmoved = prepared((at: { id: string; place: string | null; redirected_at: string | null }) =>
  tables
    .selectFrom('webhook')
    .select([])
    .where('id', '=', at.id)
    .where('status', '=', sql<'active'>`'active'`)
    .where('place', 'is not distinct from', jsonb<Place | null>(at.place))
    .where('redirected_at', 'is not distinct from', at.redirected_at)
    .forUpdate()
    .skipLocked(),
);

const movePlace = prepared((at: { id: string; place: string; unread: boolean }) =>
  tables
    .updateTable('webhook')
    .set({ place: jsonb(at.place), unread: at.unread })
    .where('id', '=', at.id),
);

/**
 * Reads the next changes of a webhook from the log and queues them, unless another process has read them meanwhile, or the webhook was
 * moved or paused. If the log no longer has the next changes, the webhook begins again.
 *
 * @returns the queued changes, and whether there may be more to read
 */
export async function readWebhookLog(
  db: Database,
  reader: LogReader,
  time: ReadingTime,
): Promise<{ changes: LoggedChange[]; more: boolean }> {
  // as owners see it: the creator of the webhook may have left
  const view: ChangeView = { organizationId: reader.organization_id, member: null, kinds: reader.kinds };
  const page = await readPage(db, view, reader.place, time);
  return await db.transaction(async (unit) => {
    const { id, place, redirected_at } = reader;
    if (!(await unit.row(lockUnmoved({ id, place: place && JSON.stringify(place), redirected_at }))))
      return { changes: [], more: true };
    await queueDeliveries(unit, reader, page.changes);
    await unit.run(movePlace({ id, place: JSON.stringify(page.next), unread: page.more }));
    return page;
  });
}

/** If the log was shortened, or the database restored: continues from now, and has the receiver read the lists. */
async function readPage(db: Database, view: ChangeView, place: Place | null, time: ReadingTime) {
  try {
    const { items, next, hasMore } = await readChanges(db, view, { place, limit: pageSize, ...time });
    const changes = items.map(({ row }) => ({ seq: String(row.seq), change: changeFor(view, row) }));
    // an empty page waits for open transactions
    return { changes, next, more: hasMore && items.length > 0 };
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'CURSOR_EXPIRED')) throw error;
    const next = await placeAtEnd(db, view.organizationId, time.now);
    return { changes: refetchesOf(view.kinds, next.height, time.now), next, more: true };
  }
}
