import type { EndpointAnswer } from '../domain/webhook/endpoint.ts';
import { type DeliveryScope, endpointOf } from '../domain/webhook/try-delivery.ts';
import type { ClaimedChange, ClaimedRun } from '../domain/webhook/webhook-queue.ts';

/**
 * Milliseconds after which a run begins no other change: a place is not kept for long, and what is changed, paused or deleted
 * counts soon.
 */
const runTime = 300;

/** Changes of one webhook that were claimed together and are sent one after the other: a delivery in flight (note 0059). */
export class DeliveryRun {
  readonly #claimed: ClaimedRun;
  #isOver = false;

  constructor(claimed: ClaimedRun) {
    this.#claimed = claimed;
  }

  get webhookId(): string {
    return this.#claimed.webhook_id;
  }

  /** Whether the last try of the webhook was delivered when the changes were claimed. */
  get healthy(): boolean {
    return this.#claimed.healthy;
  }

  /** Begins no other change. */
  end(): void {
    this.#isOver = true;
  }

  /**
   * Sends the changes until the run ends or the signal aborts.
   *
   * @param tried receives the result of each; the next one does not wait for it
   * @returns the changes that were not tried, once all results were received
   */
  async send(
    scope: DeliveryScope,
    tried: (claimed: ClaimedChange, answer: EndpointAnswer) => Promise<void>,
    signal: AbortSignal,
  ): Promise<{ left: readonly ClaimedChange[]; received: PromiseSettledResult<void>[] }> {
    const { changes } = this.#claimed;
    const post = endpointOf(scope, this.#claimed);
    const until = performance.now() + runTime;
    const results: Promise<void>[] = [];
    for (const claimed of changes) {
      if (results.length > 0 && (this.#isOver || performance.now() > until)) break;
      try {
        const result = tried(claimed, await post(claimed.change, signal));
        // looked at only once the run is over
        result.catch(() => undefined);
        results.push(result);
      } catch (error) {
        if (!signal.aborted) throw error;
        break;
      }
    }
    const left = changes.slice(results.length);
    return { left, received: await Promise.allSettled(results) };
  }
}
