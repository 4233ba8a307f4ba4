import sql, { type Sql } from 'sql-template-tag';
import { isComing } from '../domain/event/fan-out-notice.ts';
import type { BudgetedMail, MailBudgets, OverBudget } from '../domain/mail/mail-budgets.ts';
import type { Services } from '../domain/services.ts';
import { digestKind } from '../domain/subscription/queue-mails.ts';
import type { Database } from '../engine/database.ts';
import type { LaneName } from '../engine/jobs/job.table.ts';
import { type ClaimedJob, dueNow, JobQueue, type JobRules } from '../engine/jobs/job-queue.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import { signals } from '../kernel/usage.ts';
import { isAway, isPermanentFailure, type Mailer } from '../mail/mailer.ts';
import { composeMail } from './compose-mail.ts';
import { gatherMails } from './gather-mails.ts';
import { MailServerWatch } from './mail-server-watch.ts';
import { countOf, type Lane, type LaneScope, retries, type Store } from './runner.ts';

/** What mails are composed with, counted by and sent through. */
export interface MailScope extends LaneScope {
  mailer: Mailer;
  limits: Limits;
  /** Made from the current secrets, which may change. */
  services(): Pick<Services, 'linkTokens'>;
  budgets: MailBudgets;
  publicUrl: string;
}

/** What came of an attempt that did not fail; `sent` is false if there was nothing to send. */
type Outcome = { sent: boolean } | { postponed: number } | { over: OverBudget };

type MailLane = Extract<LaneName, `${string}_mails`>;
/** Somebody waits for mails about accounts, so others get fewer places: an event may have a hundred thousand mails. */
const mailLaneNames: readonly MailLane[] = ['account_mails', 'guest_mails', 'event_mails'];
/** How many mails a process sends at once: of all lanes, of those from the second on, and of the last. */
const most = [8, 7, 6];

/** Milliseconds after which an attempt to send a mail is aborted, however slow the server. */
const longestAttempt = 15 * 60_000;
/** Ends the reason of a mail whose server could not be reached. */
const away = 'CONN';

/** Whether notices of an earlier change of the event of the mail `due` are still being queued. */
const awaitsNotice = sql`exists (
    select from subscription s join job notice on notice.party = due.party and notice.key = s.event_id::text
    where s.id = due.about and notice.position < due.position and ${isComing(sql`notice`)}
  )`;

/** Whether the mail `due` can become part of the digest that waits before it. */
const mergesIntoDigest = sql`due.attempts = 0 and earlier.kind = ${digestKind} and earlier.attempts = 0 and earlier.due_at > now()`;

/** A mail about a subscription waits for the notices of earlier changes, and becomes part of a digest that waits before it. */
export function eventMailRules(db: Database): JobRules {
  const merge = (job: ClaimedJob, seconds: number) => gatherMails(db, job, seconds);
  return { waits: awaitsNotice, merges: mergesIntoDigest, merge };
}

/** The organization and the recipient whose budgets a mail counts for. */
const budgetedOf = ({ organization_id, maker_id, key }: ClaimedJob): BudgetedMail => ({
  organization_id,
  maker_id,
  recipient: key,
});

/** Sends mails (note 0009): about accounts and invitations, to guests who are not proven yet, and about subscriptions. */
export function mailLanes(scope: MailScope): Lane[] {
  const mails = new Mails(scope);
  const { db, budgets, limits } = scope;
  const lanes = mailLaneNames.map((name, index): Lane => {
    const queue = new JobQueue(db, name, name === 'event_mails' ? eventMailRules(db) : {});
    return {
      queue,
      free: (running) =>
        Math.min(...most.slice(0, index + 1).map((all, from) => all - countOf(running, ...mailLaneNames.slice(from)))),
      except: () => (index === 0 ? [] : budgets.putOff(name === 'guest_mails' ? 'guests' : 'subscribers')),
      run: (job, signal, store) => mails.run(queue, job, signal, store),
    };
  });
  // without limits nothing is postponed
  const start = () => void (limits.enabled || mails.hurry());
  return lanes.map((lane, index) => (index === 0 ? { ...lane, start, stop: () => mails.stop() } : lane));
}

class Mails {
  readonly #options: MailScope;
  readonly #server: MailServerWatch;

  constructor(options: MailScope) {
    this.#options = options;
    this.#server = new MailServerWatch({ reach: () => options.mailer.reach(), resume: () => this.#resume() });
  }

  stop(): void {
    this.#server.stop();
  }

  async run(queue: JobQueue, job: ClaimedJob, signal: AbortSignal, store: Store): Promise<void> {
    const outcome = await this.#send(job, signal).catch((error: unknown) => ({ failure: error }));
    signals.emit('mailTried', 'sent' in outcome ? 'sent' : 'failure' in outcome ? 'failed' : 'postponed');
    if ('failure' in outcome) return await this.#retryLater(queue, job, outcome.failure);
    if ('over' in outcome) return await this.#postponeOver(queue, job, outcome.over);
    if ('postponed' in outcome) return await this.#postpone(queue, job, outcome.postponed);
    await store(() => queue.end(job));
    if (!outcome.sent && job.isFresh) await this.#options.budgets.giveBack(budgetedOf(job));
  }

  async #send(job: ClaimedJob, signal: AbortSignal): Promise<Outcome> {
    const { db, mailer, limits, services, budgets, publicUrl } = this.#options;
    // before it is sent: its row stays until then, even if the process dies
    const over = job.isFresh ? await budgets.take(budgetedOf(job)) : null;
    if (over) return { over };
    const scope = { db, services: { limits, linkTokens: services().linkTokens }, publicUrl, first: job.attempts === 1 };
    const composed = await composeMail(scope, job.kind, job.data);
    if (composed?.kind === 'postponed') return { postponed: composed.seconds };
    if (!composed) return { sent: false };
    await mailer.send(composed, job.id, AbortSignal.any([signal, AbortSignal.timeout(longestAttempt)]));
    this.#server.noteTaken();
    return { sent: true };
  }

  /**
   * Postpones a mail that must not be sent yet; its next attempt counts. What was counted is given back afterwards: if the
   * process dies in between, the mail counts twice, rather than not at all.
   */
  async #postpone(queue: JobQueue, job: ClaimedJob, seconds: number): Promise<void> {
    // another digest may be waiting by now
    if (job.kind === digestKind) await gatherMails(this.#options.db, job, seconds);
    else await queue.again(job, { seconds });
    await this.#options.budgets.giveBack(budgetedOf(job));
  }

  /** Postpones a mail beyond the organization's budget; merges mails beyond the recipient's budget into one. */
  async #postponeOver(queue: JobQueue, job: ClaimedJob, { of, seconds }: OverBudget): Promise<void> {
    const { db, log, budgets } = this.#options;
    const { organization_id: organization, key: recipient, kind } = job;
    if (of === 'organization') {
      log.warn(
        { organization, kind, seconds },
        'the mails of an organization are postponed: its hourly budget is used up',
      );
      if (kind === digestKind) await gatherMails(db, job, 0);
      // not claimed before the budget allows it, which the lane has noted
      else await queue.again(job, { seconds: 0 });
    } else {
      log.info(
        { organization, recipient, seconds },
        'the mails to a recipient become one digest: there were too many in an hour',
      );
      await gatherMails(db, job, seconds);
      await budgets.giveBackOrganization(budgetedOf(job));
    }
  }

  async #retryLater(queue: JobQueue, job: ClaimedJob, error: unknown): Promise<void> {
    const { log } = this.#options;
    const isFinal = isPermanentFailure(error) || job.attempts >= retries.most;
    const fields = { mail: job.id, kind: job.kind, attempts: job.attempts, reason: reasonOf(error) };
    if (isFinal) {
      log.error(fields, 'gave up on a mail');
      return await queue.giveUp(job, fields.reason);
    }
    log.warn(fields, 'a mail could not be sent and will be retried');
    await queue.again(job, { seconds: retries.seconds(job.attempts), failed: fields.reason });
    if (isAway(error)) this.#server.noteAway();
  }

  /** Makes mails due that budgets have postponed. */
  async hurry(): Promise<void> {
    const hurried = sql`update job set due_at = ${dueNow}
      where lane = any(${mailLaneNames}::text[]) and attempts = 0 and not held and due_at > now()`;
    await this.#makeDue(hurried).catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'cannot look for postponed mails'),
    );
  }

  /**
   * Makes mails due that wait for a mail server which is back. Claimed ones have no error. The attempt that did not reach the
   * server is not counted: a server that comes and goes must not use up all attempts of a mail within minutes.
   */
  async #resume(): Promise<void> {
    await this.#makeDue(sql`update job set due_at = ${dueNow}, attempts = greatest(attempts - 1, 1)
      where lane = any(${mailLaneNames}::text[]) and due_at > now() and error like ${`% ${away}`} and not held`);
  }

  async #makeDue(statement: Sql): Promise<void> {
    await this.#options.db.rows(statement);
    for (const name of mailLaneNames) this.#options.nudge(name);
  }
}

/** The reason for a failure, as codes only: the server's message may quote the mail. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown };
  const known = [code, responseCode, command].filter((part) => ['string', 'number'].includes(typeof part));
  return (known.length > 0 ? known.join(' ') : error.name).slice(0, 400);
}
