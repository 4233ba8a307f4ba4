import { setTimeout as sleep } from 'node:timers/promises';
import type { MailBudgets, OverBudget } from '../domain/mail/mail-budgets.ts';
import { type MailPart, mailParts } from '../domain/mail/mail-part.ts';
import type { LinkTokens } from '../domain/subscription/link-tokens.ts';
import type { Database } from '../engine/database.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import type { Log } from '../kernel/request.ts';
import { signals } from '../kernel/usage.ts';
import { isAway, isPermanentFailure, type Mailer } from '../mail/mailer.ts';
import { composeMail } from './compose-mail.ts';
import { holdLease } from './lease.ts';
import { type Job, MailQueue } from './mail-queue.ts';
import { MailServerWatch } from './mail-server-watch.ts';
import { settleOrCut } from './settle-or-cut.ts';

export interface OutboxOptions {
  db: Database;
  mailer: Mailer;
  limits: Limits;
  /** Made from the current secrets, which may change. */
  linkTokens(): LinkTokens;
  budgets: MailBudgets;
  publicUrl: string;
  log: Log;
  /** Milliseconds between polls of the queue, in addition to those that a nudge causes. */
  pollInterval?: number;
  /** Seconds after which the claim of a dead process expires; a claim is renewed while the mail is being sent. */
  lease?: number;
  /** Seconds before the first retry, doubled for each further one up to a quarter of an hour. */
  firstDelay?: number;
}

/** About six hours of retries. */
const maxAttempts = 32;
const longestDelay = 15 * 60;
/** How many mails a process sends at once. */
const slots = 8;
/**
 * How many of them may be mails about events, and mails of organizations in total: somebody is waiting for the others.
 */
const eventSlots = 6;
const organizationSlots = 7;
/** Milliseconds after which an attempt to send a mail is aborted, however slow the server. */
const longestAttempt = 15 * 60_000;
/** Milliseconds that stopping waits for a mail server. */
const patience = 5_000;

/**
 * Sends the mails of the table `mail_job`, alongside the outboxes of other processes: a job is claimed in one short
 * statement (`for update skip locked`), no transaction is open while a mail server is slow, and the job of a dead
 * process becomes due again. The row of a sent mail is deleted (note 0009).
 */
export class Outbox {
  readonly #options: Required<OutboxOptions>;
  readonly #queue: MailQueue;
  /** The mails that are being sent. */
  readonly #attempts = new Map<Promise<void>, Job>();
  /** The parts of the queue in which mails may be due. */
  readonly #wanted = new Set<MailPart>();
  /** Whether mails may be due that no slot was free for. */
  #full = false;
  #timer: NodeJS.Timeout | undefined;
  #filling: Promise<void> | null = null;
  #again = false;
  /** When the timer polls the queue, by `performance.now()`. */
  #lookAt = Number.POSITIVE_INFINITY;
  #stopped = true;
  readonly #server: MailServerWatch;
  readonly #cut = new AbortController();

  constructor(options: OutboxOptions) {
    this.#options = { pollInterval: 5_000, lease: 90, firstDelay: 1, ...options };
    this.#queue = new MailQueue(options.db, this.#options.lease);
    const resume = async () => {
      await this.#queue.resume();
      this.nudge();
    };
    this.#server = new MailServerWatch({ reach: () => options.mailer.reach(), resume });
  }

  start(): void {
    this.#stopped = false;
    this.nudge();
    const { limits, log } = this.#options;
    if (limits.enabled) return;
    this.#queue.hurry().then(
      () => this.nudge(),
      (error) => log.warn({ err: error }, 'cannot look for postponed mails'),
    );
  }

  /**
   * Polls the queue at once; returns before anything is sent.
   *
   * @param part the only part in which a mail has become due: while its slots are taken, this costs no statement
   */
  nudge(part?: MailPart): void {
    for (const each of part ? [part] : mailParts) this.#wanted.add(each);
    this.#look();
  }

  #look(): void {
    if (this.#stopped) return;
    if (this.#filling) {
      this.#again = true;
      return;
    }
    this.#again = false;
    clearTimeout(this.#timer);
    this.#lookAt = Number.POSITIVE_INFINITY;
    this.#filling = this.#fill().finally(() => {
      this.#filling = null;
      this.#lookWithin(this.#options.pollInterval);
      if (this.#again) this.#look();
    });
  }

  /**
   * Starts nothing new and waits a few seconds for mails that are being sent. Longer attempts are aborted, and another
   * process retries them.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#server.stop();
    await this.#filling;
    await settleOrCut(this.#attempts.keys(), this.#cut, patience);
  }

  #lookWithin(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (this.#stopped || at >= this.#lookAt) return;
    clearTimeout(this.#timer);
    this.#lookAt = at;
    this.#timer = setTimeout(() => this.nudge(), milliseconds);
    this.#timer.unref();
  }

  /** Claims jobs while there are any and slots are free. */
  async #fill(): Promise<void> {
    try {
      let more = true;
      while (more && !this.#stopped) more = await this.#claim();
    } catch (error) {
      // the database is down; claimed jobs become due again
      this.#options.log.warn({ err: error }, 'cannot look for mails to send');
    }
  }

  /** Claims jobs for the free slots; returns whether others may be due. */
  async #claim(): Promise<boolean> {
    let more = false;
    this.#full = false;
    for (const part of mailParts) {
      if (!this.#wanted.has(part)) continue;
      const free = this.#freeFor(part);
      if (free <= 0) {
        this.#full = true;
        continue;
      }
      // mails that become due from now on need another poll
      this.#wanted.delete(part);
      const since = performance.now();
      const claimed = await this.#claimOf(part, free);
      this.#begin(claimed.jobs, since);
      if (!claimed.more) continue;
      more = true;
      this.#wanted.add(part);
    }
    return more;
  }

  /** Keeps slots free for mails that somebody is waiting for: an event may have a hundred thousand mails. */
  #freeFor(part: MailPart): number {
    const free = slots - this.#attempts.size;
    if (part === 'links') return free;
    const ofOrganizations = Math.min(free, organizationSlots - this.#sending('organization_id'));
    return part === 'guests' ? ofOrganizations : Math.min(ofOrganizations, eventSlots - this.#sending('recipient'));
  }

  async #claimOf(part: MailPart, count: number): Promise<{ jobs: Job[]; more: boolean }> {
    const { budgets } = this.#options;
    if (part === 'events') return await this.#queue.claimEvents(count, budgets.putOff('subscribers'));
    const jobs = await (part === 'links'
      ? this.#queue.claimLinks(count)
      : this.#queue.claimGuests(count, budgets.putOff('guests')));
    return { jobs, more: jobs.length > 0 };
  }

  #sending(of: 'organization_id' | 'recipient'): number {
    return [...this.#attempts.values()].filter((job) => job[of] !== null).length;
  }

  #begin(jobs: readonly Job[], since: number): void {
    for (const job of jobs) {
      const attempt = this.#attempt(job, since)
        .catch((error) => this.#options.log.warn({ err: error, mail: job.id }, 'cannot record the outcome of a mail'))
        .finally(() => {
          this.#attempts.delete(attempt);
          if (this.#full) this.#look();
        });
      this.#attempts.set(attempt, job);
    }
  }

  async #attempt(job: Job, since: number): Promise<void> {
    const claim = holdLease(this.#options.lease, since, () => this.#queue.renew(job));
    try {
      const outcome = await this.#send(job, claim.signal).catch((error: unknown) => ({ failure: error }));
      signals.mailTried.send(outcome === 'done' ? 'sent' : 'failure' in outcome ? 'failed' : 'postponed');
      if (outcome === 'done') await this.#finish(job);
      else if ('postponed' in outcome) await this.#queue.postpone(job, outcome.postponed);
      else if ('over' in outcome) await this.#putOff(job, outcome.over);
      else await this.#retryLater(job, outcome.failure);
    } finally {
      claim.release();
    }
  }

  async #send(job: Job, claim: AbortSignal): Promise<'done' | { postponed: number } | { over: OverBudget }> {
    const { db, mailer, limits, linkTokens, budgets, publicUrl } = this.#options;
    // a mail counts once, before its first attempt: its row stays until it is sent, even if the process dies
    const first = job.attempts === 1;
    const over = first ? await budgets.take(job) : null;
    if (over) return { over };
    const scope = { db, services: { limits, linkTokens: linkTokens() }, publicUrl, first };
    const composed = await composeMail(scope, job.kind, job.data);
    if (composed?.kind === 'postponed') return { postponed: composed.seconds };
    const signal = AbortSignal.any([claim, this.#cut.signal, AbortSignal.timeout(longestAttempt)]);
    if (composed) {
      await mailer.send(composed, job.id, signal);
      this.#server.hasTaken();
    } else if (first) await budgets.giveBack(job);
    return 'done';
  }

  /** Postpones a mail beyond the organization's budget; merges mails beyond the recipient's budget into one. */
  async #putOff(job: Job, { of, seconds }: OverBudget): Promise<void> {
    const { log } = this.#options;
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
    }
  }

  /** Deletes the row of a sent mail, which must not be sent again; retries until the database has deleted it. */
  async #finish(job: Job): Promise<void> {
    while (true) {
      try {
        if (await this.#queue.remove(job)) this.nudge('events');
        return;
      } catch (error) {
        if (this.#stopped) throw error;
        this.#options.log.warn({ err: error, mail: job.id }, 'cannot record that a mail was sent; trying again');
        await sleep(1_000);
      }
    }
  }

  async #retryLater(job: Job, error: unknown): Promise<void> {
    const { log, firstDelay } = this.#options;
    const isFinal = isPermanentFailure(error) || job.attempts >= maxAttempts;
    const fields = { mail: job.id, kind: job.kind, attempts: job.attempts, reason: reasonOf(error) };
    if (isFinal) log.error(fields, 'gave up on a mail');
    else log.warn(fields, 'a mail could not be sent and will be retried');
    if (isFinal) {
      if (await this.#queue.giveUp(job, fields.reason)) this.nudge('events');
      return;
    }
    const delay = Math.min(firstDelay * 2 ** (job.attempts - 1), longestDelay);
    await this.#queue.fail(job, fields.reason, delay);
    this.#lookWithin(delay * 1000);
    if (isAway(error)) this.#server.isAway();
  }
}

/** The reason for a failure, as codes only: the server's message may quote the mail. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown };
  const known = [code, responseCode, command].filter((part) => ['string', 'number'].includes(typeof part));
  return (known.length > 0 ? known.join(' ') : error.name).slice(0, 400);
}
