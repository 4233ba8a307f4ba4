import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointAnswer } from '../domain/webhook/endpoint.ts';
import { readPage, type Work } from '../domain/webhook/read-page.ts';
import { type DeliveryScope, endpointOf } from '../domain/webhook/try-delivery.ts';
import { takeDue } from '../domain/webhook/webhook-queue.ts';
import type { Database } from '../engine/database.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import type { Log } from '../kernel/request.ts';
import { signals } from '../kernel/usage.ts';
import { DeliveryRecords } from './delivery-records.ts';
import { type HostRates, hostOf } from './host-rates.ts';
import { Page, type PageItem } from './page.ts';
import type { WebhookTurn } from './webhook-turn.ts';

export interface PageSenderOptions {
  db: Database;
  /** Made from the current secrets, which may change. */
  scope(): DeliveryScope;
  /** Sends the mails that warn owners. */
  outbox: { nudge(): void };
  /** For how many days the log of changes is kept. */
  retentionDays: number;
  log: Log;
  limits: Limits;
  hosts: HostRates;
  /** Milliseconds after which a webhook is read again that could not be. */
  pollInterval: number;
}

/** What a webhook wants of its next turn: to read the log, to send what is due. */
export type Wish = Pick<Work, 'reads' | 'sends'>;

/** How many changes a page has; of a webhook whose last try failed, no more than may be in flight are sent. */
const pageSize = { healthy: 200, failing: 10 };
/** Milliseconds after which a page begins no other change, so that what is changed, paused or deleted counts soon. */
const pageTime = 300;

/** Reads what a webhook has to send in a turn, sends it and sees that it is recorded. */
export class PageSender {
  /** Ends the tries that wait for endpoints. */
  readonly cut = new AbortController();
  readonly #options: PageSenderOptions;
  readonly #records: DeliveryRecords;

  constructor(options: PageSenderOptions) {
    this.#options = options;
    this.#records = new DeliveryRecords(options);
  }

  /** A result that cannot be recorded is not kept any longer. */
  stop(): void {
    this.#records.stop();
  }

  /** What a webhook has to send; null if that cannot be read. */
  async read({ turn, busy }: WebhookTurn, { reads, sends }: Wish): Promise<Page | null> {
    const { db, log, retentionDays, pollInterval } = this.#options;
    const size = turn.healthy ? pageSize.healthy : pageSize.failing;
    try {
      const read = reads ? await readPage(db, turn, size, { now: new Date(), retentionDays }) : null;
      // instead of the log it may have to send that the lists have to be read
      const isDue = sends || (reads && !read);
      const due = isDue ? await takeDue(db, turn, busy, turn.healthy ? size : turn.places) : [];
      return new Page(turn, due, read, pageTime);
    } catch (error) {
      log.warn({ err: error, webhook: turn.webhook_id }, 'cannot read changes for a webhook');
      await sleep(pollInterval);
      return null;
    }
  }

  /**
   * Sends the open page of a turn.
   *
   * @param goOn called with what the page has left once its place is recorded, and then for each delivery that outlasted it
   */
  async send(held: WebhookTurn, page: Page, goOn: (wish: Wish) => void): Promise<void> {
    const post = endpointOf(this.#options.scope(), page.turn);
    const host = hostOf(page.turn.url);
    const results: Promise<void>[] = [];
    const sent = page.send(
      async (item) => {
        const answer = await post(item.sent.change, this.cut.signal).catch((error: unknown) => {
          if (!this.cut.signal.aborted) throw error;
          return null;
        });
        const recorded = this.#record(held, page, item, answer).finally(() => {
          if (held.open !== page) goOn({ reads: false, sends: true });
        });
        // looked at only once all is sent
        recorded.catch(() => undefined);
        results.push(recorded);
        return { recorded };
      },
      () => this.#options.hosts.take(host),
    );
    await endOrTime(sent, pageTime);
    page.close();
    await this.#records.progress(page);
    held.open = null;
    goOn(page.left);
    await sent;
    for (const result of await Promise.allSettled(results)) if (result.status === 'rejected') throw result.reason;
    held.pages.delete(page);
  }

  async #record(held: WebhookTurn, page: Page, item: PageItem, answer: EndpointAnswer | null): Promise<void> {
    const { outbox, log } = this.#options;
    if (!answer) {
      item.state = 'dropped';
      await this.#records.progress(page);
      return;
    }
    signals.webhookTried.send(answer.delivered ? 'delivered' : 'failed');
    if (answer.delivered) {
      item.answer = answer;
      item.state = 'delivered';
      await this.#records.progress(page);
      return;
    }
    const { webhook_id: webhook, organization_id: organization } = page.turn;
    // what follows from a failure counts before anything else is begun
    held.end();
    if (!(await this.#records.failure(page, item, answer))) return;
    log.warn({ webhook, organization }, 'a webhook was disabled');
    outbox.nudge();
  }
}

/** Waits for a promise to end, but no longer than so many milliseconds. */
async function endOrTime(promise: Promise<void>, milliseconds: number): Promise<void> {
  const { promise: time, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([promise, time]).finally(() => clearTimeout(timer));
}
