import { setImmediate as othersTurn } from 'node:timers/promises';

/** Milliseconds after which other requests get a turn. */
const longestTurn = 10;

/** The pace of long work that lets others have their turn: `if (pace.isDue()) await pace.rest()`. */
export class Pace {
  #since = performance.now();

  /** Whether the work has kept the thread for long enough. */
  isDue(): boolean {
    return performance.now() - this.#since >= longestTurn;
  }

  /** Lets everything run that waits. */
  async rest(): Promise<void> {
    await othersTurn();
    this.#since = performance.now();
  }
}
