/** Milliseconds between two looks. */
const period = 200;
/** How many milliseconds late a look may be. */
const tolerated = 1_000;
/** How many in a row have to be late: a proxy could do nothing about a single block. */
const several = 3;

/** Notices that the event loop is blocked again and again. */
export class LoopWatch {
  #due = performance.now() + period;
  #late = 0;
  readonly #timer = setInterval(() => {
    this.#late = performance.now() - this.#due > tolerated ? this.#late + 1 : 0;
    this.#due = performance.now() + period;
  }, period).unref();

  get isLate(): boolean {
    return this.#late >= several;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
