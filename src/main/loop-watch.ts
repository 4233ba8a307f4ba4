/** Milliseconds between two looks. */
const period = 200;
/** How many milliseconds late a look may be. */
const tolerated = 1_000;
/** How many in a row have to be late: a single block is over before a proxy could do anything about it. */
const several = 3;

/** Notices that the event loop is late again and again, so that whatever arrives waits. */
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
