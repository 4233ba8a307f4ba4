/** A party that takes turns, such as an organization, a user or a network. */
export class Entrant<Kind extends string = string> {
  readonly key: string;
  running = 0;
  waiting = 0;
  /** The number of its last turn; of a newcomer, just below that of the last turn of all. */
  lastTurn: number;
  readonly #running = new Map<Kind, number>();

  constructor(key: string, lastTurn = 0) {
    this.key = key;
    this.lastTurn = lastTurn;
  }

  runningOf(kind: Kind): number {
    return this.#running.get(kind) ?? 0;
  }

  countRunning(kind: Kind, step: 1 | -1): void {
    this.running += step;
    this.#running.set(kind, this.runningOf(kind) + step);
  }
}
