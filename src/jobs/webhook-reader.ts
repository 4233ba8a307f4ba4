import { setTimeout as sleep } from 'node:timers/promises';
import { chargeDeliveries, deliveryPayers } from '../domain/webhook/delivery-jobs.ts';
import { findLogReaders, readWebhookLog } from '../domain/webhook/read-log.ts';
import type { Database } from '../engine/database.ts';
import type { LaneName } from '../engine/jobs/job.table.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import type { Log } from '../kernel/request.ts';
import type { ChangeWatch } from './change-watch.ts';

interface WebhookReaderOptions {
  db: Database;
  /** Says which organizations have changed. */
  changes: Pick<ChangeWatch, 'watchAll'>;
  /** For how many days the log of changes is kept. */
  retentionDays: number;
  log: Log;
  limits: Limits;
  /** Wakes the runner. */
  nudge(lane: LaneName): void;
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
  #unwatch: () => void = () => undefined;
  #reading: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #ending = new AbortController();

  constructor(options: WebhookReaderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#ending = new AbortController();
    this.#unwatch = this.#options.changes.watchAll((organizationIds) => this.#note(organizationIds));
    this.#timer = setInterval(() => this.#note(null), interval).unref();
    this.#note(null);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#unwatch();
    clearInterval(this.#timer);
    await this.#reading;
  }

  #note(organizationIds: readonly string[] | null): void {
    if (organizationIds === null) this.#changed = null;
    for (const id of organizationIds ?? []) this.#changed?.add(id);
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
        if (changed === null) this.#changed = null;
        for (const id of changed ?? []) this.#changed?.add(id);
      }
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
    this.#reading = null;
  }
}
