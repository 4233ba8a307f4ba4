import { type MailPart, mailParts } from '../domain/mail/mail-part.ts';
import { MailAttempts, type MailScope } from './mail-attempts.ts';
import { type Job, MailQueue } from './mail-queue.ts';
import { settleOrCut } from './settle-or-cut.ts';

export interface OutboxOptions extends MailScope {
  /** Milliseconds between polls of the queue, in addition to those that a nudge causes. */
  pollInterval?: number;
  /** Seconds after which the claim of a dead process expires; a claim is renewed while the mail is being sent. */
  lease?: number;
  /** Seconds before the first retry, doubled for each further one up to a quarter of an hour. */
  firstDelay?: number;
}

/** How many mails a process sends at once. */
const slots = 8;
/**
 * How many of them may be mails about events, and mails of organizations in total: somebody is waiting for the others.
 */
const eventSlots = 6;
const organizationSlots = 7;
/** Milliseconds that stopping waits for a mail server. */
const patience = 5_000;
/** Milliseconds from a nudge to the look at the queue: the response leaves first, and one look serves several commits. */
const gatherFor = 20;

/**
 * Sends the mails of the table `mail_job`, alongside the outboxes of other processes: a job is claimed in one short
 * statement (`for update skip locked`), no transaction is open while a mail server is slow, and the job of a dead
 * process becomes due again. The row of a sent mail is deleted (note 0009).
 */
export class Outbox {
  readonly #options: Required<OutboxOptions>;
  readonly #queue: MailQueue;
  readonly #attempts: MailAttempts;
  /** The mails that are being sent. */
  readonly #inFlight = new Map<Promise<void>, Job>();
  /** The parts of the queue in which mails may be due. */
  readonly #wanted = new Set<MailPart>();
  /** Whether mails may be due that no slot was free for. */
  #full = false;
  #timer: NodeJS.Timeout | undefined;
  /** Set while nudges are gathered. */
  #gathering: NodeJS.Timeout | undefined;
  #filling: Promise<void> | null = null;
  #again = false;
  /** When the timer polls the queue, by `performance.now()`. */
  #lookAt = Number.POSITIVE_INFINITY;
  #stopped = true;
  readonly #cut = new AbortController();

  constructor(options: OutboxOptions) {
    this.#options = { pollInterval: 5_000, lease: 90, firstDelay: 1, ...options };
    const { lease } = this.#options;
    this.#queue = new MailQueue(options.db, lease);
    this.#attempts = new MailAttempts(this.#options, this.#queue, this.#cut.signal, () => this.#lookNow());
  }

  start(): void {
    this.#stopped = false;
    this.#lookNow();
    const { limits, log } = this.#options;
    if (limits.enabled) return;
    this.#queue.hurry().then(
      () => this.#lookNow(),
      (error) => log.warn({ err: error }, 'cannot look for postponed mails'),
    );
  }

  /**
   * Polls the queue within moments, after the current response and together with other nudges (note 0009).
   *
   * @param part the only part in which a mail has become due: while its slots are taken, this costs no statement
   */
  nudge(part?: MailPart): void {
    this.#note(part);
    if (this.#stopped) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#look();
    }, gatherFor).unref();
  }

  #note(part?: MailPart): void {
    for (const each of part ? [part] : mailParts) this.#wanted.add(each);
  }

  /** Polls the queue at once: nobody waits for a response. */
  #lookNow(part?: MailPart): void {
    this.#note(part);
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
    const planned = this.#lookAt;
    this.#lookAt = Number.POSITIVE_INFINITY;
    this.#filling = this.#fill().finally(() => {
      this.#filling = null;
      this.#lookWithin(this.#options.pollInterval);
      // for a mail that becomes due then
      const left = planned - performance.now();
      if (left > 0) this.#lookWithin(left);
      if (this.#again) this.#look();
    });
  }

  /**
   * Sends what the last nudges were about as far as slots are free, starts nothing else, and waits a few seconds for mails
   * that are being sent. Longer attempts are aborted, and another process retries them.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    this.#attempts.stop();
    await this.#filling;
    // there may be no other process that would find them soon
    if (this.#gathering) await this.#fill();
    await settleOrCut(this.#inFlight.keys(), this.#cut, patience);
  }

  #lookWithin(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (this.#stopped || at >= this.#lookAt) return;
    clearTimeout(this.#timer);
    this.#lookAt = at;
    this.#timer = setTimeout(() => this.#lookNow(), milliseconds);
    this.#timer.unref();
  }

  /** Claims jobs while there are any and slots are free. */
  async #fill(): Promise<void> {
    try {
      while (await this.#claim()) if (this.#stopped) return;
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
    const free = slots - this.#inFlight.size;
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
    return [...this.#inFlight.values()].filter((job) => job[of] !== null).length;
  }

  #begin(jobs: readonly Job[], since: number): void {
    for (const job of jobs) {
      const attempt = this.#attempts
        .make(job, since)
        .then((wait) => {
          if (wait === 0) this.#lookNow('events');
          else if (wait !== null) this.#lookWithin(wait);
        })
        .catch((error) => this.#options.log.warn({ err: error, mail: job.id }, 'cannot record the outcome of a mail'))
        .finally(() => {
          this.#inFlight.delete(attempt);
          if (this.#full) this.#look();
        });
      this.#inFlight.set(attempt, job);
    }
  }
}
