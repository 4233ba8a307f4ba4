import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { stolenCpu } from './processes.ts';

/** The share of CPU taken by the host above which a measurement is invalid, since peers are not affected equally. */
const tooMuch = 0.05;
/** Milliseconds to wait for a throttled machine to regain CPU time. */
const pause = 5000;

/** Repeats measurements that the machine's host has disturbed, as long as there are repetitions left. */
export class Calm {
  readonly #repetitions: number;
  #repeated = 0;
  #worst = 0;

  /** @param repetitions the maximum total number of repetitions */
  constructor(repetitions: number) {
    this.#repetitions = repetitions;
  }

  /** The figures of the first undisturbed attempt, or of the last one if no repetition is left. */
  async measure<Figures>(attempt: () => Promise<Figures>): Promise<Figures> {
    for (;;) {
      const before = { stolen: stolenCpu(), at: performance.now() };
      const figures = await attempt();
      const whole = (performance.now() - before.at) * availableParallelism();
      const share = (stolenCpu() - before.stolen) / whole;
      const again = share > tooMuch && this.#repeated < this.#repetitions;
      if (!again) {
        // NaN, and so neither repeated nor counted, if the system does not provide it
        if (share > this.#worst) this.#worst = share;
        return figures;
      }
      this.#repeated += 1;
      await sleep(pause);
    }
  }

  /** The note for the report. */
  summary(): string {
    const percent = (share: number) => `${Math.round(share * 100)} %`;
    const repeated = `Rounds that were repeated because the machine's host took away more than ${percent(tooMuch)} of the CPU: ${this.#repeated}.`;
    return `${repeated} Maximum in the rounds that count: ${percent(this.#worst)}.`;
  }
}
