import { setImmediate as nextLoop } from 'node:timers/promises';

/** Milliseconds after which long work yields to other requests. */
const longestTurn = 10;

/** Lets long synchronous work yield to the event loop: `if (pace.isDue()) await pace.rest()`. */
export class Pace {
  #since = performance.now();

  /** Whether the work has blocked the event loop long enough. */
  isDue(): boolean {
    return performance.now() - this.#since >= longestTurn;
  }

  /** Lets everything that is waiting run. */
  async rest(): Promise<void> {
    await nextLoop();
    this.#since = performance.now();
  }
}
