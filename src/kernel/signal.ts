/** Wakes one waiter. A wake-up while nobody waits is kept for the next wait; several count as one. */
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
