import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import sql from 'sql-template-tag';
import type { Log } from '../domain/context.ts';
import { row, rows } from '../domain/database.ts';
import type { Limits } from '../domain/limits/limits.ts';
import { composeMail } from '../domain/mail/compose.ts';
import { isHopeless, type Mailer } from './mailer.ts';

export interface OutboxOptions {
  /** Makes a fork of its own for each use. */
  fork: () => EntityManager;
  mailer: Mailer;
  limits: Limits;
  publicUrl: string;
  log: Log;
  /** Milliseconds between looks into the queue, beside those that a nudge causes. */
  pollInterval?: number;
  /** Seconds after which an attempt counts as lost with its process; longer than any attempt may take. */
  lease?: number;
  /** Seconds before the first repetition, doubled with each further one up to a quarter of an hour. */
  firstDelay?: number;
}

interface Job {
  id: string;
  kind: string;
  data: unknown;
  attempts: number;
}

/** Some six hours of repetitions. */
const maxAttempts = 32;
const longestDelay = 15 * 60;
const batchSize = 8;
/** Milliseconds that a stop waits for a mail server. */
const patience = 5_000;

/**
 * Sends the mails of the table `mail_job`, beside the outboxes of other processes: a job is claimed in one short
 * statement (`for update skip locked`), no transaction is open while a mail server is slow, and a job whose process
 * died becomes due again. A mail that was sent has no row any more (docs/decisions/0009).
 */
export class Outbox {
  readonly #options: Required<OutboxOptions>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #again = false;
  /** Milliseconds until the first of the repetitions that this process has put off. */
  #wait = Number.POSITIVE_INFINITY;
  #stopped = true;

  constructor(options: OutboxOptions) {
    this.#options = { pollInterval: 5_000, lease: 90, firstDelay: 1, ...options };
  }

  start(): void {
    this.#stopped = false;
    this.nudge();
  }

  /** Looks into the queue at once; returns before anything is sent. */
  nudge(): void {
    if (this.#stopped) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#running = this.#drain().finally(() => {
      this.#running = null;
      if (this.#again) {
        this.#again = false;
        this.nudge();
      } else {
        this.#sleep();
      }
    });
  }

  /** Begins nothing new and waits for what is being sent, a few seconds at the most: another process can take it up. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const impatience = new AbortController();
    await Promise.race([
      this.#running,
      sleep(patience, undefined, { signal: impatience.signal }).catch(() => undefined),
    ]);
    impatience.abort();
  }

  #sleep(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.nudge(), Math.min(this.#options.pollInterval, this.#wait));
    this.#wait = Number.POSITIVE_INFINITY;
    this.#timer.unref();
  }

  async #drain(): Promise<void> {
    try {
      let claimed: Job[];
      do {
        claimed = await this.#claim();
        await Promise.all(claimed.map((job) => this.#attempt(job)));
      } while (claimed.length === batchSize && !this.#stopped);
    } catch (error) {
      // the database is away: what was claimed becomes due again by itself
      this.#options.log.warn({ err: error }, 'cannot look for mails to send');
    }
  }

  #claim(): Promise<Job[]> {
    // a job that is being sent is one that is due later
    return rows<Job>(
      this.#options.fork(),
      sql`update mail_job set attempts = attempts + 1, due_at = now() + make_interval(secs => ${this.#options.lease})
          where id in (
            select id from mail_job where due_at <= now() order by due_at limit ${batchSize} for update skip locked
          )
          returning id, kind, data, attempts`,
    );
  }

  async #attempt(job: Job): Promise<void> {
    const { fork, mailer, limits, publicUrl, log } = this.#options;
    try {
      const scope = { em: fork(), services: { limits }, publicUrl, first: job.attempts === 1 };
      const letter = await composeMail(scope, job.kind, job.data);
      if (letter) await mailer.send(letter, job.id);
    } catch (error) {
      const hopeless = isHopeless(error) || job.attempts >= maxAttempts;
      const fields = { mail: job.id, kind: job.kind, attempts: job.attempts, reason: reasonOf(error) };
      if (hopeless) log.error(fields, 'a mail was given up');
      else log.warn(fields, 'a mail could not be sent, and is tried again');
      await this.#postpone(job, hopeless, reasonOf(error));
      return;
    }
    await row(fork(), sql`delete from mail_job where id = ${job.id}`);
  }

  async #postpone(job: Job, hopeless: boolean, reason: string): Promise<void> {
    const delay = Math.min(this.#options.firstDelay * 2 ** (job.attempts - 1), longestDelay);
    if (!hopeless) this.#wait = Math.min(this.#wait, delay * 1000);
    // not where another process has begun its own attempt since
    await row(
      this.#options.fork(),
      sql`update mail_job set error = ${reason},
            due_at = case when ${hopeless} then null else now() + make_interval(secs => ${delay}) end
          where id = ${job.id} and attempts = ${job.attempts}`,
    );
  }
}

/** What went wrong, in the words of codes alone: a server's own words may repeat the mail. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown };
  const known = [code, responseCode, command].filter((part) => ['string', 'number'].includes(typeof part));
  return (known.length > 0 ? known.join(' ') : error.name).slice(0, 400);
}
