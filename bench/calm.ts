import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { stolenCpu } from './processes.ts';

/** The part of the CPU beyond which the host disturbs what is measured: peers do not lose the same to it. */
const tooMuch = 0.05;
/** Milliseconds in which a machine that has used up its share may come by some again. */
const pause = 5000;

/** Measures again what the host of the machine has disturbed, as long as there are repetitions left. */
export class Calm {
  readonly #repetitions: number;
  #repeated = 0;
  #worst = 0;

  /** @param repetitions how often anything may be measured again, in all */
  constructor(repetitions: number) {
    this.#repetitions = repetitions;
  }

  /** The figures of the first attempt that was calm, or that had no repetition left. */
  async measure<Figures>(attempt: () => Promise<Figures>): Promise<Figures> {
    for (;;) {
      const before = { stolen: stolenCpu(), at: performance.now() };
      const figures = await attempt();
      const whole = (performance.now() - before.at) * availableParallelism();
      const share = (stolenCpu() - before.stolen) / whole;
      const again = share > tooMuch && this.#repeated < this.#repetitions;
      if (!again) {
        // neither holds where the system does not tell
        if (share > this.#worst) this.#worst = share;
        return figures;
      }
      this.#repeated += 1;
      await sleep(pause);
    }
  }

  /** What a reader has to know of it. */
  summary(): string {
    const percent = (share: number) => `${Math.round(share * 100)} %`;
    const again = `asked again, as the machine's host took more than ${percent(tooMuch)} of the CPU away: ${this.#repeated}`;
    return `Rounds of a question that were ${again}. The most that it took in one that counts: ${percent(this.#worst)}.`;
  }
}
