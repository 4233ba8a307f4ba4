import { setTimeout as sleep } from 'node:timers/promises';
import { deleteStep } from '../domain/leaving/delete-steps.ts';
import type { Services } from '../domain/services.ts';
import type { Database } from '../engine/database.ts';
import type { Log } from '../kernel/request.ts';

interface DeletionOptions {
  db: Database;
  notices: Pick<Services['notices'], 'nudge'>;
  log: Log;
  /** Whether mails beyond a recipient's budget become a digest. */
  bounded: boolean;
}

/** Milliseconds between looks for organizations that other processes have begun to delete. */
const interval = 30_000;
/** Milliseconds until the mails of an organization are looked at again. */
const patience = 1_000;

/** Deletes organizations in steps, and pauses after each for as long as it took, to limit the load. */
export class OrganizationDeletions {
  readonly #options: DeletionOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | null = null;
  #again = false;

  constructor(options: DeletionOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.nudge(), interval);
    this.#timer.unref();
    this.nudge();
  }

  /** Begins now; returns before anything is deleted. */
  nudge(): void {
    if (this.#stopping.signal.aborted) return;
    this.#again = true;
    this.#working ??= this.#work();
  }

  /** Ends after the current step. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { log } = this.#options;
    while (this.#again && !this.#stopping.signal.aborted) {
      this.#again = false;
      try {
        await this.#deleteAll();
      } catch (error) {
        log.warn({ err: error }, 'cannot delete an organization');
      }
    }
    this.#working = null;
  }

  async #deleteAll(): Promise<void> {
    const { notices, log } = this.#options;
    let waiting: string[] = [];
    while (!this.#stopping.signal.aborted) {
      const began = performance.now();
      const step = await deleteStep(this.#options, waiting);
      if (!step && waiting.length === 0) return;
      if (step?.outcome === 'waiting') waiting.push(step.organizationId);
      if (step?.outcome === 'continued') notices.nudge();
      if (step?.outcome === 'gone') log.info({ organizationId: step.organizationId }, 'an organization was deleted');
      await this.#pause(step ? performance.now() - began : patience);
      if (!step) waiting = [];
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
  }
}
