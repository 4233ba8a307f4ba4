import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import { isComing } from '../domain/event/fan-out-notice.ts';
import type { MailBudgets, OverBudget } from '../domain/mail/mail-budgets.ts';
import type { Services } from '../domain/services.ts';
import { digestKind } from '../domain/subscription/queue-mails.ts';
import type { Database } from '../engine/database.ts';
import { dueNow, jobs, type LaneName } from '../engine/jobs/job.table.ts';
import { type ClaimedJob, JobQueue, type JobRules } from '../engine/jobs/job-queue.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import { signals } from '../kernel/usage.ts';
import { isAway, isPermanentFailure, type Mailer } from '../mail/mailer.ts';
import { composeMail } from './compose-mail.ts';
import { gatherMails } from './gather-mails.ts';
import type { Lane, LaneScope, Store } from './runner.ts';

interface MailScope extends LaneScope {
  mailer: Mailer;
  limits: Limits;
  /** Made from the current secrets, which may change. */
  services(): Pick<Services, 'linkTokens'>;
  budgets: MailBudgets;
  publicUrl: string;
}

/** The result of an attempt that did not fail; `sent` is false if there was nothing to send. */
type Outcome = { sent: boolean } | { postponed: number } | { over: OverBudget };

type MailLane = Extract<LaneName, `${string}_mails`>;
/** In the order of urgency: users wait for mails about accounts, while an event may cause a hundred thousand mails. */
const mailLaneNames: readonly MailLane[] = ['account_mails', 'guest_mails', 'event_mails'];
/** How many mails a process sends at once: of all lanes, of the last two, and of the last. */
const most = [8, 7, 6];

/** Attempts of a mail, or of a notice that queues mails: about six hours, from a second to a quarter of an hour apart. */
export const retries = { most: 32, seconds: (attempts: number) => Math.min(2 ** (attempts - 1), 15 * 60) };
/** Milliseconds after which an attempt is aborted. */
const longestAttempt = 15 * 60_000;
/** Milliseconds without mails if the mail server could not be reached; then one mail at a time, until it can be. */
const awayPause = 2_000;

/** A mail about a subscription waits while notices of earlier changes are being queued, and joins a digest that waits before it. */
export const eventMailRules = (db: Database): JobRules => ({
  waits: sql`exists (
    select from subscription s join job notice on notice.party = due.party and notice.key = s.event_id::text
    where s.id = due.about and notice.position < due.position and ${isComing(sql`notice`)}
  )`,
  merges: sql`due.attempts = 0 and earlier.kind = ${digestKind} and earlier.attempts = 0 and earlier.due_at > now()`,
  merge: (job, seconds) => gatherMails(db, job, seconds),
});

/** Sends mails (note 0009): about accounts and invitations, to unproven guests, and about subscriptions. */
export function mailLanes(scope: MailScope): Lane[] {
  const mails = new Mails(scope);
  const { db, budgets, limits, log } = scope;
  const start = () =>
    void db.run(hurriedMails({})).catch((error) => log.warn({ err: error }, 'cannot look for postponed mails'));
  return mailLaneNames.map((name, index): Lane => {
    const queue = new JobQueue(db, name, name === 'event_mails' ? eventMailRules(db) : {});
    return {
      queue,
      free: (countOf) =>
        Math.min(
          mails.room - countOf(...mailLaneNames),
          ...most.slice(0, index + 1).map((all, from) => all - countOf(...mailLaneNames.slice(from))),
        ),
      except: () => (index === 0 ? [] : budgets.putOff(name === 'guest_mails' ? 'guests' : 'subscribers')),
      run: (job, signal, store) => mails.run(queue, job, signal, store),
      // without limits nothing is postponed
      ...(index === 0 && !limits.enabled ? { start } : {}),
    };
  });
}

const hurriedMails = prepared(() =>
  jobs
    .updateTable('job')
    .set({ due_at: dueNow })
    .where('lane', 'in', mailLaneNames)
    .where('attempts', '=', sql<number>`0`)
    .where(sql<boolean>`not held and due_at > now()`),
);

class Mails {
  readonly #options: MailScope;
  /** While the mail server cannot be reached: when the next mail may be sent, by `performance.now()`. */
  #awayUntil: number | null = null;

  constructor(options: MailScope) {
    this.#options = options;
  }

  /** How many mails may be in flight. */
  get room(): number {
    if (this.#awayUntil === null) return Number.POSITIVE_INFINITY;
    return performance.now() < this.#awayUntil ? 0 : 1;
  }

  async run(queue: JobQueue, job: ClaimedJob, signal: AbortSignal, store: Store): Promise<void> {
    const outcome = await this.#send(job, signal).catch((error: unknown) => ({ failure: error }));
    signals.emit('mailTried', 'sent' in outcome ? 'sent' : 'failure' in outcome ? 'failed' : 'postponed');
    if ('failure' in outcome) return await this.#retryLater(queue, job, outcome.failure);
    if ('over' in outcome) return await this.#postponeOver(queue, job, outcome.over);
    if ('postponed' in outcome) return await this.#postpone(queue, job, outcome.postponed);
    await store(() => queue.end(job));
    if (!outcome.sent && job.isFresh) await this.#options.budgets.giveBack(job);
  }

  async #send(job: ClaimedJob, signal: AbortSignal): Promise<Outcome> {
    const { db, mailer, limits, services, budgets, publicUrl } = this.#options;
    // counted before it is sent
    const over = job.isFresh ? await budgets.take(job) : null;
    if (over) return { over };
    const scope = { db, services: { limits, linkTokens: services().linkTokens }, publicUrl, first: job.attempts === 1 };
    const composed = await composeMail(scope, job.kind, job.data);
    if (composed?.kind === 'postponed') return { postponed: composed.seconds };
    if (!composed) return { sent: false };
    await mailer.send(composed, job.id, AbortSignal.any([signal, AbortSignal.timeout(longestAttempt)]));
    this.#awayUntil = null;
    return { sent: true };
  }

  /** Postpones a mail that must not be sent yet. Gives back its count last: if the process dies before, the mail counts twice, not never. */
  async #postpone(queue: JobQueue, job: ClaimedJob, seconds: number): Promise<void> {
    // another digest may wait by now
    if (job.kind === digestKind) await gatherMails(this.#options.db, job, seconds);
    else await queue.again(job, { seconds });
    await this.#options.budgets.giveBack(job);
  }

  /** Postpones a mail beyond the organization's budget; merges mails beyond the recipient's budget into one. */
  async #postponeOver(queue: JobQueue, job: ClaimedJob, { of, seconds }: OverBudget): Promise<void> {
    const { db, log, budgets } = this.#options;
    const { organization_id: organization, key: recipient, kind } = job;
    if (of === 'organization') {
      const fields = { organization, kind, seconds };
      log.warn(fields, 'the mails of an organization are postponed: its hourly budget is used up');
      if (kind === digestKind) await gatherMails(db, job, 0);
      // due now: the lane skips the organization until the budget allows it
      else await queue.again(job, { seconds: 0 });
    } else {
      const fields = { organization, recipient, seconds };
      log.info(fields, 'the mails to a recipient become one digest: there were too many in an hour');
      await gatherMails(db, job, seconds);
      await budgets.giveBack(job, of);
    }
  }

  async #retryLater(queue: JobQueue, job: ClaimedJob, error: unknown): Promise<void> {
    const { log } = this.#options;
    const fields = { mail: job.id, kind: job.kind, attempts: job.attempts, reason: reasonOf(error) };
    if (isAway(error)) return await this.#waitForServer(queue, job, fields);
    this.#awayUntil = null;
    if (isPermanentFailure(error) || job.attempts >= retries.most) {
      log.error(fields, 'gave up on a mail');
      return await queue.giveUp(job, fields.reason);
    }
    log.warn(fields, 'a mail could not be sent and will be retried');
    await queue.again(job, { seconds: retries.seconds(job.attempts), failed: fields.reason });
  }

  /** The attempt does not count: it says nothing about the mail. */
  async #waitForServer(queue: JobQueue, job: ClaimedJob, fields: { reason: string }): Promise<void> {
    const { log, nudge } = this.#options;
    if (this.#awayUntil === null)
      log.warn(fields, 'a mail could not be sent: mails wait until the server can be reached');
    this.#awayUntil = performance.now() + awayPause;
    setTimeout(() => mailLaneNames.forEach(nudge), awayPause).unref();
    await queue.again(job, { seconds: awayPause / 1000, failed: fields.reason, counts: false });
  }
}

/** Codes only: the server's message may quote the mail. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown };
  const known = [code, responseCode, command].filter((part) => ['string', 'number'].includes(typeof part));
  return (known.length > 0 ? known.join(' ') : error.name).slice(0, 400);
}
