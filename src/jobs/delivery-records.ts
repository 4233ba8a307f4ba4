import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { EndpointAnswer } from '../domain/webhook/endpoint.ts';
import { type DeliveredTry, recordDelivered } from '../domain/webhook/record-delivered.ts';
import { recordTry } from '../domain/webhook/record-try.ts';
import type { ClaimedChange } from '../domain/webhook/webhook-queue.ts';
import type { Database } from '../engine/database.ts';
import type { Log } from '../kernel/request.ts';

/** Milliseconds for which a result is kept if the database is down; then another process makes the try again. */
const keptFor = 20_000;

/** Records the tries of a process one transaction at a time, so that requests keep their connections (note 0059). */
export class DeliveryRecords {
  readonly #db: Database;
  readonly #log: Log;
  readonly #limit = pLimit(1);
  /** What was delivered and is about to be recorded together. */
  #delivered: { tries: DeliveredTry[]; recorded: Promise<null> } | null = null;
  #stopped = false;

  constructor({ db, log }: { db: Database; log: Log }) {
    this.#db = db;
    this.#log = log;
  }

  /** A result that cannot be recorded is not kept any longer. */
  stop(): void {
    this.#stopped = true;
  }

  /** Records a try, and waits for the database if that is down. Returns whether it disabled the webhook. */
  async record(claimed: ClaimedChange, answer: EndpointAnswer): Promise<boolean> {
    const until = performance.now() + keptFor;
    for (;;) {
      try {
        return (await this.#recordOnce(claimed, answer)) === 'disabled';
      } catch (error) {
        if (this.#stopped || performance.now() > until) throw error;
        this.#log.warn({ err: error, webhook: claimed.webhook_id }, 'cannot record a delivery; trying again');
        await sleep(1_000);
      }
    }
  }

  /** Tries that are delivered while others are recorded are recorded together. */
  #recordOnce(claimed: ClaimedChange, answer: EndpointAnswer): ReturnType<typeof recordTry> {
    if (!answer.delivered) return this.#limit(() => recordTry(this.#db, claimed, answer));
    if (this.#delivered) {
      this.#delivered.tries.push({ claimed, answer });
      return this.#delivered.recorded;
    }
    const tries: DeliveredTry[] = [{ claimed, answer }];
    const recorded = this.#limit(async () => {
      this.#delivered = null;
      await recordDelivered(this.#db, tries);
      return null;
    });
    this.#delivered = { tries, recorded };
    return recorded;
  }
}
