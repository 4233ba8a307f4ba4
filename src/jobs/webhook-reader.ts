import { setTimeout as sleep } from 'node:timers/promises';
import sql, { raw } from 'sql-template-tag';
import type { ChangeKind } from '../domain/change/change.table.ts';
import type { Place } from '../domain/change/place.ts';
import {
  type ChangeView,
  changeFor,
  placeAtEnd,
  type ReadChangesOptions,
  readChanges,
} from '../domain/change/read-changes.ts';
import {
  chargeDeliveries,
  deliveriesOf,
  deliveryPayers,
  type LoggedChange,
  queueDeliveries,
  refetchesOf,
} from '../domain/webhook/delivery-jobs.ts';
import type { Database } from '../engine/database.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import type { ChangeWatch } from './change-watch.ts';
import type { LaneScope } from './runner.ts';

interface WebhookReaderOptions extends LaneScope {
  /** Says which organizations have changed. */
  changes: Pick<ChangeWatch, 'watchAll'>;
  /** For how many days the log of changes is kept. */
  retentionDays: number;
  limits: Limits;
}

/** Milliseconds between looks at all webhooks, in case another process died after a commit. */
const interval = 10_000;
/** Milliseconds until webhooks are read again that have more, have no room for more, or could not be read. */
const pause = { more: 0, full: 100, failed: 1_000 };

/** Queues what webhooks have to deliver as soon as it is committed, alongside other processes (note 0059). */
export class WebhookReader {
  readonly #options: WebhookReaderOptions;
  /** The organizations that may have changed; null for all. */
  #changed: Set<string> | null = null;
  #unwatch: () => unknown = () => undefined;
  #reading: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #ending = new AbortController();

  constructor(options: WebhookReaderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#unwatch = this.#options.changes.watchAll((changed) => this.#note(changed));
    this.#timer = setInterval(() => this.#note(null), interval).unref();
    this.#note(null);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#unwatch();
    clearInterval(this.#timer);
    await this.#reading;
  }

  #note(changed: ReadonlySet<string> | null): void {
    if (changed === null) this.#changed = null;
    for (const id of changed ?? []) this.#changed?.add(id);
    if (!this.#ending.signal.aborted && this.#changed?.size !== 0) this.#reading ??= this.#read();
  }

  async #read(): Promise<void> {
    const { db, limits, log, nudge, retentionDays } = this.#options;
    const { signal } = this.#ending;
    let failed = false;
    while (!signal.aborted && this.#changed?.size !== 0) {
      const changed = this.#changed;
      this.#changed = new Set();
      let wait = pause.more;
      try {
        for (const reader of await findLogReaders(db, changed && [...changed])) {
          const hasRoom = reader.room && limits.keptBytes.waitOf(deliveryPayers(reader)) === 0;
          const read = hasRoom && (await readWebhookLog(db, reader, { now: new Date(), retentionDays }));
          if (read) chargeDeliveries(limits, reader, read.changes);
          if (read && read.changes.length > 0) nudge('deliveries');
          // its row may be locked, or transactions that it waits for may be open
          if (!read || (read.more && read.changes.length === 0)) wait = pause.full;
          if (!read || read.more) this.#changed?.add(reader.organization_id);
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

/** How many changes of a webhook may wait: most of them because their objects fail (note 0059). */
const mostWaiting = raw('10000');
/** How many changes are read and queued at once, while no more of them could be sent now: the rest stays in the log. */
const pageSize = raw('100');

/** A webhook that should read the log. */
export interface LogReader {
  id: string;
  organization_id: string;
  /** Who created the organization; null for imported ones. */
  maker_id: string | null;
  kinds: ChangeKind[];
  place: Place | null;
  redirected_at: string | null;
  /** Whether it may: not while too much waits, or could be sent now. */
  room: boolean;
}

/** For how long the log is kept, and what time it is. */
type ReadingTime = Pick<ReadChangesOptions, 'now' | 'retentionDays'>;

/**
 * The active webhooks that should read the log: those of organizations that may have changed, those that are known not to have come to its
 * end, and those that have read nothing for an hour, since the log reaches back for a limited time.
 *
 * @param changed null if any may have changed
 */
export async function findLogReaders(db: Database, changed: readonly string[] | null): Promise<LogReader[]> {
  return await db.rows<LogReader>(
    sql`select w.id, w.organization_id, o.maker_id, w.kinds, w.place, w.redirected_at,
        (select count(*) from (select from job where ${deliveriesOf(sql`w.id`)} limit ${mostWaiting}) waiting) < ${mostWaiting}
          and (select count(*) from (select from job where ${deliveriesOf(sql`w.id`)} and (due_at <= now() or claimed) limit ${pageSize}) due) < ${pageSize} as room
      from webhook w join organization o on o.id = w.organization_id where w.status = 'active' and (${changed === null} or w.organization_id = any(${changed ?? []}::uuid[])
        or w.unread or (w.place->>'at')::bigint < extract(epoch from now()) - 3600)`,
    { prepared: 'planned once' },
  );
}

/**
 * Reads the next changes of a webhook from the log and queues them, outside of transactions but for the last step: if another process has
 * read meanwhile, or the webhook was moved or paused, that does nothing. Where the log no longer has what follows its place, the webhook
 * begins again.
 *
 * @returns the changes that were queued, and whether there is more to read, as far as is known
 */
export async function readWebhookLog(
  db: Database,
  reader: LogReader,
  time: ReadingTime,
): Promise<{ changes: LoggedChange[]; more: boolean }> {
  const view: ChangeView = { organizationId: reader.organization_id, member: null, kinds: reader.kinds };
  const page = await readPage(db, view, reader.place, time);
  return await db.transaction(async (unit) => {
    const unmoved = await unit.row(sql`select from webhook where id = ${reader.id}::uuid and status = 'active'
      and place is not distinct from ${reader.place && JSON.stringify(reader.place)}::jsonb
      and redirected_at is not distinct from ${reader.redirected_at}::timestamptz for update skip locked`);
    if (!unmoved) return { changes: [], more: true };
    await queueDeliveries(unit, reader, page.changes);
    await unit.run(sql`update webhook set place = ${JSON.stringify(page.next)}::jsonb, unread = ${page.more}
      where id = ${reader.id}::uuid`);
    return page;
  });
}

interface LogPage {
  changes: LoggedChange[];
  next: Place;
  more: boolean;
}

/** As owners read: the creator of the webhook may have left. */
async function readPage(db: Database, view: ChangeView, place: Place | null, time: ReadingTime): Promise<LogPage> {
  try {
    const { items, next, hasMore } = await readChanges(db, view, { place, limit: Number(pageSize.text), ...time });
    const changes = items.map(({ row }) => ({ seq: String(row.seq), change: changeFor(view, row) }));
    // an empty page waits for transactions that are open
    return { changes, next, more: hasMore && items.length > 0 };
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'CURSOR_EXPIRED')) throw error;
    return await beginAgain(db, view, time);
  }
}

/**
 * Goes on from now, and says that the lists have to be read: the log no longer has everything that follows the place, or
 * the database was restored from a backup.
 */
async function beginAgain(db: Database, { organizationId, kinds }: ChangeView, { now }: ReadingTime): Promise<LogPage> {
  const next = await placeAtEnd(db, organizationId, now);
  return { changes: refetchesOf(kinds, next.height, now), next, more: true };
}
