import { sql } from 'kysely';
import { prepared, type Statement } from '#postgres-access';
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
import { MailServerWatch } from './mail-server-watch.ts';
import { countOf, type Lane, type LaneScope, retries, type Store } from './runner.ts';

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

/** Milliseconds after which an attempt is aborted. */
const longestAttempt = 15 * 60_000;
/** The end of the stored reason if the server could not be reached. */
const away = 'CONN';

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
  return lanes.map((lane, index) => (index === 0 ? { ...lane, start, stop: mails.stop } : lane));
}

class Mails {
  readonly #options: MailScope;
  readonly #server: MailServerWatch;

  constructor(options: MailScope) {
    this.#options = options;
    this.#server = new MailServerWatch({ reach: () => options.mailer.reach(), resume: () => this.#resume() });
  }

  readonly stop = () => this.#server.stop();

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
    this.#server.noteTaken();
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
      await budgets.giveBackOrganization(job);
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

  async hurry(): Promise<void> {
    await this.#makeDue(hurriedMails({})).catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'cannot look for postponed mails'),
    );
  }

  /**
   * Makes mails due that wait for the server. Claimed ones have no error. The failed attempt does not count: an unstable server must not
   * use up all attempts of a mail within minutes.
   */
  async #resume(): Promise<void> {
    await this.#makeDue(resumedMails({}));
  }

  async #makeDue(statement: Statement): Promise<void> {
    await this.#options.db.rows(statement);
    for (const name of mailLaneNames) this.#options.nudge(name);
  }
}

const dueMails = jobs
  .updateTable('job')
  .set({ due_at: dueNow })
  .where('lane', 'in', mailLaneNames)
  .where(sql<boolean>`not held and due_at > now()`);
const hurriedMails = prepared(() => dueMails.where('attempts', '=', sql<number>`0`));
const resumedMails = prepared(() =>
  dueMails.set({ attempts: sql<number>`greatest(attempts - 1, 1)` }).where('error', 'like', `% ${away}`),
);

/** Codes only: the server's message may quote the mail. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown };
  const known = [code, responseCode, command].filter((part) => ['string', 'number'].includes(typeof part));
  return (known.length > 0 ? known.join(' ') : error.name).slice(0, 400);
}
