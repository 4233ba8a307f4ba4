/** Wakes one waiter. Wake-ups while nobody waits count as one for the next wait. */
export class Signal {
  #isWoken = false;
  #resume: (() => void) | null = null;

  readonly wake = (): void => {
    this.#isWoken = true;
    this.#resume?.();
  };

  async wait(): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    }
    this.#isWoken = false;
    this.#resume = null;
  }
}
