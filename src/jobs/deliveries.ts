import type { EndpointAnswer } from '../domain/webhook/endpoint.ts';
import { findWork, readAhead, type Work } from '../domain/webhook/read-ahead.ts';
import type { DeliveryScope } from '../domain/webhook/try-delivery.ts';
import { warnOfFailures } from '../domain/webhook/webhook-mail.ts';
import { type ClaimedChange, claimChanges, releaseClaims } from '../domain/webhook/webhook-queue.ts';
import type { Database } from '../engine/database.ts';
import type { Log } from '../kernel/request.ts';
import { signals } from '../kernel/usage.ts';
import type { ChangeWatch } from './change-watch.ts';
import { DeliveryRecords } from './delivery-records.ts';
import { DeliveryRun } from './delivery-run.ts';
import { settleOrCut } from './settle-or-cut.ts';

export interface DeliveriesOptions {
  db: Database;
  /** Says which organizations have changed. */
  changes: Pick<ChangeWatch, 'watchAll'>;
  /** Made from the current secrets, which may change. */
  scope(): DeliveryScope;
  /** Sends the mails that warn owners. */
  outbox: { nudge(): void };
  /** For how many days the log of changes is kept. */
  retentionDays: number;
  log: Log;
  /** Milliseconds between polls, in addition to those that a nudge causes. */
  pollInterval?: number;
}

/** How many deliveries a process has in flight, and how many of them may be of webhooks whose last try failed. */
const places = { all: 64, failing: 48 };
/** Milliseconds between two looks for webhooks that fail for long. */
const warnInterval = 30_000;
/** Milliseconds that commits, and deliveries which have ended, are gathered, so that one look serves them all. */
const gather = { commits: 50, ends: 5 };
/** Milliseconds that stopping waits for endpoints. */
const patience = 3_000;

/**
 * Sends what webhooks have to deliver, alongside other processes: reads the log ahead, claims what is due in one short
 * statement, and holds no connection while an endpoint takes its time (note 0059).
 */
export class Deliveries {
  readonly #options: Required<DeliveriesOptions>;
  readonly #inFlight = new Map<Promise<void>, DeliveryRun>();
  readonly #records: DeliveryRecords;
  readonly #cut = new AbortController();
  /** The organizations whose webhooks should read; null for all. */
  #changed: Set<string> | null = null;
  #unwatch: () => void = () => undefined;
  #looking: Promise<void> | null = null;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #gatheredAt = Number.POSITIVE_INFINITY;
  #warnAt = 0;
  /** When webhooks are looked at although nothing is known to have changed. */
  #findAt = 0;
  /** Whether a webhook had something to do the last time. */
  #hasWork = false;
  #stopped = true;

  constructor(options: DeliveriesOptions) {
    this.#options = { pollInterval: 1_000, ...options };
    this.#records = new DeliveryRecords(options);
  }

  start(): void {
    this.#stopped = false;
    this.#unwatch = this.#options.changes.watchAll((organizationIds) => this.#note(organizationIds));
    this.nudge();
  }

  /** Looks for work soon; returns before anything is sent. */
  nudge(): void {
    this.#findAt = 0;
    this.#gather(gather.commits);
  }

  /**
   * Starts nothing new and waits a few seconds for endpoints. Tries that take longer are given up, and another process
   * makes them again.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#records.stop();
    this.#unwatch();
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    await this.#looking;
    for (const run of this.#inFlight.values()) run.end();
    await settleOrCut(this.#inFlight.keys(), this.#cut, patience);
  }

  #note(organizationIds: readonly string[] | null): void {
    if (organizationIds?.length === 0) return;
    if (organizationIds === null) this.#changed = null;
    for (const id of organizationIds ?? []) this.#changed?.add(id);
    this.#gather(gather.commits);
  }

  #look(): void {
    if (this.#stopped) return;
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#again = false;
    clearTimeout(this.#timer);
    this.#looking = this.#work()
      .catch((error) => this.#options.log.warn({ err: error }, 'cannot look for changes to deliver'))
      .finally(() => {
        this.#looking = null;
        if (this.#stopped) return;
        this.#timer = setTimeout(() => this.#look(), this.#options.pollInterval);
        this.#timer.unref();
        if (this.#again) this.#gather(gather.commits);
      });
  }

  /** Reads the log if something may have changed, and each second at the least; claims what is due. */
  async #work(): Promise<void> {
    const isTime = performance.now() >= this.#findAt;
    if (isTime || this.#changed?.size !== 0) await this.#find(isTime || this.#changed === null);
    if (this.#hasWork || this.#inFlight.size > 0) await this.#claim();
    await this.#warn();
  }

  /**
   * Finds out which webhooks have something to do, and reads on for them.
   *
   * @param all whether to look at all webhooks, or only at those of organizations that may have changed
   */
  async #find(all: boolean): Promise<void> {
    if (all) this.#findAt = performance.now() + this.#options.pollInterval;
    const changed = this.#changed;
    this.#changed = new Set();
    let work: Work[];
    try {
      work = await findWork(this.#options.db, changed && [...changed], all);
    } catch (error) {
      this.#note(changed && [...changed]);
      throw error;
    }
    this.#hasWork = work.length > 0 || (this.#hasWork && !all);
    // one after the other, a bounded number of changes each
    for (const { id, organization_id, room } of work.filter(({ reads }) => reads)) {
      if (this.#stopped) return;
      const more = room ? await this.#read(id) : null;
      // it reads on once something was delivered, or at once
      if (more !== false) this.#changed?.add(organization_id);
      if (more) this.#again = true;
    }
  }

  async #read(webhookId: string): Promise<boolean | null> {
    const { db, log, retentionDays } = this.#options;
    try {
      return await readAhead(db, webhookId, { now: new Date(), retentionDays });
    } catch (error) {
      log.warn({ err: error, webhook: webhookId }, 'cannot read changes for a webhook');
      return null;
    }
  }

  /** Claims what is due while places are free. */
  async #claim(): Promise<void> {
    while (!this.#stopped) {
      const free = places.all - this.#inFlight.size;
      const failing = [...this.#inFlight.values()].filter(({ healthy }) => !healthy).length;
      if (free <= 0) return;
      const claimed = await claimChanges(this.#options.db, free, Math.max(places.failing - failing, 0));
      for (const run of claimed) this.#begin(new DeliveryRun(run));
      // fewer than there was room for: nothing else is due
      if (claimed.length < free) return;
    }
  }

  async #warn(): Promise<void> {
    if (performance.now() < this.#warnAt) return;
    this.#warnAt = performance.now() + warnInterval;
    if (await warnOfFailures(this.#options.db)) this.#options.outbox.nudge();
  }

  #begin(run: DeliveryRun): void {
    const attempt = this.#send(run)
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error, webhook: run.webhookId }, 'cannot record a delivery');
      })
      .finally(() => {
        this.#inFlight.delete(attempt);
        this.#gather(gather.ends);
      });
    this.#inFlight.set(attempt, run);
  }

  /** Looks for work once what happens now has happened. */
  #gather(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (this.#stopped || this.#gatheredAt <= at) return;
    this.#gatheredAt = at;
    clearTimeout(this.#gathering);
    this.#gathering = setTimeout(() => {
      this.#gatheredAt = Number.POSITIVE_INFINITY;
      this.#look();
    }, milliseconds);
  }

  /** Sends the changes of a run, and gives up those that it does not come to, so that they are claimed again at once. */
  async #send(run: DeliveryRun): Promise<void> {
    const { db, scope } = this.#options;
    const { left, received } = await run.send(scope(), (...tried) => this.#record(...tried), this.#cut.signal);
    if (left.length > 0) await releaseClaims(db, left);
    for (const result of received) if (result.status === 'rejected') throw result.reason;
  }

  async #record(claimed: ClaimedChange, answer: EndpointAnswer): Promise<void> {
    const { outbox, log } = this.#options;
    signals.webhookTried.send(answer.delivered ? 'delivered' : 'failed');
    if (!answer.delivered) this.#endRuns(claimed.webhook_id);
    if (!(await this.#records.record(claimed, answer))) return;
    log.warn({ webhook: claimed.webhook_id, organization: claimed.organization_id }, 'a webhook was disabled');
    outbox.nudge();
  }

  /** What follows from a failure counts before anything else of its webhook is begun. */
  #endRuns(webhookId: string): void {
    for (const run of this.#inFlight.values()) if (run.webhookId === webhookId) run.end();
  }
}
