import { setTimeout as sleep } from 'node:timers/promises';
import type { MailBudgets, OverBudget } from '../domain/mail/mail-budgets.ts';
import type { LinkTokens } from '../domain/subscription/link-tokens.ts';
import type { Database } from '../engine/database.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import type { Log } from '../kernel/request.ts';
import { signals } from '../kernel/usage.ts';
import { isAway, isPermanentFailure, type Mailer } from '../mail/mailer.ts';
import { composeMail } from './compose-mail.ts';
import { holdLease } from './lease.ts';
import type { Job, MailQueue } from './mail-queue.ts';
import { MailServerWatch } from './mail-server-watch.ts';

/** What mails are composed with, counted by and sent through. */
export interface MailScope {
  db: Database;
  mailer: Mailer;
  limits: Limits;
  /** Made from the current secrets, which may change. */
  linkTokens(): LinkTokens;
  budgets: MailBudgets;
  publicUrl: string;
  log: Log;
}

interface MailAttemptsOptions extends MailScope {
  /** Seconds for which a claim is valid; it is renewed while the mail is being sent. */
  lease: number;
  /** Seconds before the first retry. */
  firstDelay: number;
}

/** What came of an attempt that did not fail; `sent` is false if there was nothing to send. */
type Outcome = { sent: boolean } | { postponed: number } | { over: OverBudget };

/** About six hours of retries. */
const maxAttempts = 32;
const longestDelay = 15 * 60;
/** Milliseconds after which an attempt to send a mail is aborted, however slow the server. */
const longestAttempt = 15 * 60_000;

/** Tries to send mails that this process has claimed, and records what came of it. */
export class MailAttempts {
  readonly #options: MailAttemptsOptions;
  readonly #queue: MailQueue;
  readonly #cut: AbortSignal;
  readonly #server: MailServerWatch;
  #stopped = false;

  /**
   * @param cut aborts the attempts that are still running
   * @param resume called when mails have become due because the server is back
   */
  constructor(options: MailAttemptsOptions, queue: MailQueue, cut: AbortSignal, resume: () => void) {
    this.#options = options;
    this.#queue = queue;
    this.#cut = cut;
    this.#server = new MailServerWatch({
      reach: () => options.mailer.reach(),
      resume: async () => {
        await queue.resume();
        resume();
      },
    });
  }

  /**
   * @param since when the job was claimed, by `performance.now()`
   * @returns milliseconds until it, or a mail that it held back, is due; null if none is
   */
  async make(job: Job, since: number): Promise<number | null> {
    const claim = holdLease(this.#options.lease, since, () => this.#queue.renew(job));
    try {
      const outcome = await this.#send(job, claim.signal).catch((error: unknown) => ({ failure: error }));
      signals.mailTried.send('sent' in outcome ? 'sent' : 'failure' in outcome ? 'failed' : 'postponed');
      if ('failure' in outcome) return await this.#retryLater(job, outcome.failure);
      if ('over' in outcome) return await this.#putOff(job, outcome.over);
      if ('postponed' in outcome) return await this.#postpone(job, outcome.postponed);
      const due = await this.#finish(job);
      if (!outcome.sent && job.counts) await this.#options.budgets.giveBack(job);
      return due;
    } finally {
      claim.release();
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#server.stop();
  }

  async #send(job: Job, claim: AbortSignal): Promise<Outcome> {
    const { db, mailer, limits, linkTokens, budgets, publicUrl } = this.#options;
    // before it is sent: its row stays until then, even if the process dies
    const over = job.counts ? await budgets.take(job) : null;
    if (over) return { over };
    const scope = { db, services: { limits, linkTokens: linkTokens() }, publicUrl, first: job.attempts === 1 };
    const composed = await composeMail(scope, job.kind, job.data);
    if (composed?.kind === 'postponed') return { postponed: composed.seconds };
    if (!composed) return { sent: false };
    const signal = AbortSignal.any([claim, this.#cut, AbortSignal.timeout(longestAttempt)]);
    await mailer.send(composed, job.id, signal);
    this.#server.hasTaken();
    return { sent: true };
  }

  /**
   * Postpones a mail that must not be sent yet; its next attempt counts. What was counted is given back afterwards: if the
   * process dies in between, the mail counts twice, rather than not at all.
   */
  async #postpone(job: Job, seconds: number): Promise<null> {
    await this.#queue.postpone(job, seconds);
    await this.#options.budgets.giveBack(job);
    return null;
  }

  /** Postpones a mail beyond the organization's budget; merges mails beyond the recipient's budget into one. */
  async #putOff(job: Job, { of, seconds }: OverBudget): Promise<null> {
    const { log, budgets } = this.#options;
    const { organization_id: organization, recipient, kind } = job;
    if (of === 'organization') {
      log.warn(
        { organization, kind, seconds },
        'the mails of an organization are postponed: its hourly budget is used up',
      );
      await this.#queue.postpone(job, 0);
    } else {
      log.info(
        { organization, recipient, seconds },
        'the mails to a recipient become one digest: there were too many in an hour',
      );
      await this.#queue.gather(job, seconds);
      await budgets.giveBackOrganization(job);
    }
    return null;
  }

  /** Deletes the row of a sent mail, which must not be sent again; retries until the database has deleted it. */
  async #finish(job: Job): Promise<0 | null> {
    while (true) {
      try {
        return (await this.#queue.remove(job)) ? 0 : null;
      } catch (error) {
        if (this.#stopped) throw error;
        this.#options.log.warn({ err: error, mail: job.id }, 'cannot record that a mail was sent; trying again');
        await sleep(1_000);
      }
    }
  }

  async #retryLater(job: Job, error: unknown): Promise<number | null> {
    const { log, firstDelay } = this.#options;
    const isFinal = isPermanentFailure(error) || job.attempts >= maxAttempts;
    const fields = { mail: job.id, kind: job.kind, attempts: job.attempts, reason: reasonOf(error) };
    if (isFinal) {
      log.error(fields, 'gave up on a mail');
      return (await this.#queue.giveUp(job, fields.reason)) ? 0 : null;
    }
    log.warn(fields, 'a mail could not be sent and will be retried');
    const delay = Math.min(firstDelay * 2 ** (job.attempts - 1), longestDelay);
    await this.#queue.fail(job, fields.reason, delay);
    if (isAway(error)) this.#server.isAway();
    return delay * 1000;
  }
}

/** The reason for a failure, as codes only: the server's message may quote the mail. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown };
  const known = [code, responseCode, command].filter((part) => ['string', 'number'].includes(typeof part));
  return (known.length > 0 ? known.join(' ') : error.name).slice(0, 400);
}
