import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { EndpointAnswer } from '../domain/webhook/endpoint.ts';
import { recordFailure } from '../domain/webhook/record-failure.ts';
import { recordProgress, type SentChange } from '../domain/webhook/record-progress.ts';
import type { Turn } from '../domain/webhook/turns.ts';
import type { Database } from '../engine/database.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import { deliveryPartiesOf } from '../kernel/limits/parties.ts';
import type { Log } from '../kernel/request.ts';
import { signals } from '../kernel/usage.ts';
import type { Page, PageItem } from './page.ts';

/** Milliseconds for which a result is kept if the database is down; then another process makes the try again. */
const keptFor = 20_000;

/** What a row costs beside its values, as in the transactions of requests (note 0056). */
const rowBytes = 128;

/** What is kept of a try: the change and, after a failure, the beginning of the answer. */
interface Kept {
  sent: Pick<SentChange, 'change'>;
  response?: string | null;
}

/** Records the tries of a process one transaction at a time, so that requests keep their connections (note 0059). */
export class DeliveryRecords {
  readonly #db: Database;
  readonly #log: Log;
  readonly #limits: Limits;
  readonly #limit = pLimit(1);
  /** The pages of which something is about to be recorded, and the transaction that does so. */
  #next: { pages: Set<Page>; recorded: Promise<void> } | null = null;
  #stopped = false;

  constructor({ db, log, limits }: { db: Database; log: Log; limits: Limits }) {
    this.#db = db;
    this.#log = log;
    this.#limits = limits;
  }

  /** A result that cannot be recorded is not kept any longer. */
  stop(): void {
    this.#stopped = true;
  }

  /** Records what a page has done; together with what other pages do in the meantime. */
  progress(page: Page): Promise<void> {
    if (!this.#next) {
      const pages = new Set<Page>();
      this.#next = { pages, recorded: this.#keep(() => this.#begin(pages)) };
    }
    this.#next.pages.add(page);
    return this.#next.recorded;
  }

  /** Records a try that failed. Returns whether it disabled the webhook. */
  async failure({ turn }: Page, item: PageItem, answer: EndpointAnswer): Promise<boolean> {
    const next = await this.#keep(
      () => async () => await recordFailure(this.#db, { ...turn, sent: item.sent }, answer),
    );
    if (next !== null) this.#charge(turn, [{ sent: item.sent, response: answer.response }]);
    item.sent.isQueued = true;
    item.state = 'done';
    return next === 'disabled';
  }

  #begin(pages: ReadonlySet<Page>): () => Promise<void> {
    this.#next = null;
    const all = [...pages].map((page) => ({ page, progress: page.progress() }));
    return async () => {
      const redirected = await recordProgress(
        this.#db,
        all.map(({ progress }) => progress),
      );
      for (const { page, progress } of all)
        this.#charge(page.turn, [...progress.delivered, ...progress.queued.map((sent) => ({ sent }))]);
      for (const { page } of all) if (redirected.has(page.turn.webhook_id)) page.redirect();
    };
  }

  /** What is kept of deliveries counts for the organization and its maker (interface/bounds.md#webhooks). */
  #charge({ organization_id: organizationId, maker_id: makerId }: Turn, kept: readonly Kept[]): void {
    const bytes = kept.reduce(
      (sum, { sent, response }) => sum + rowBytes + JSON.stringify(sent.change).length + (response?.length ?? 0),
      0,
    );
    this.#limits.keptBytes.spend(deliveryPartiesOf({ organizationId, makerId }), bytes);
  }

  /** Records once it is its turn, again and again if the database is down. */
  async #keep<Result>(begin: () => () => Promise<Result>): Promise<Result> {
    const until = performance.now() + keptFor;
    return await this.#limit(async () => {
      const record = begin();
      for (;;) {
        try {
          return await record();
        } catch (error) {
          signals.webhookUnrecorded.send(null);
          if (this.#stopped || performance.now() > until) throw error;
          this.#log.warn({ err: error }, 'cannot record deliveries; trying again');
          await sleep(1_000);
        }
      }
    });
  }
}
