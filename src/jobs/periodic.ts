import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { built, prepared } from '#postgres-access';
import { queueGatheredChanges } from '../domain/event/event-mails.ts';
import { queueDueReminders } from '../domain/event/reminder.ts';
import { deleteStep } from '../domain/leaving/delete-steps.ts';
import { tables } from '../domain/tables/tables.ts';
import { warnOfFailures } from '../domain/webhook/webhook-mail.ts';
import type { Database } from '../engine/database.ts';
import { dueNow } from '../engine/jobs/job.table.ts';
import { JobQueue } from '../engine/jobs/job-queue.ts';
import type { RetentionDays } from './expired.ts';
import type { Lane, LaneScope } from './runner.ts';
import { sweep } from './sweep.ts';

interface PeriodicScope extends LaneScope {
  /** Whether mails beyond a recipient's budget become a digest. */
  bounded: boolean;
  retentionDays: RetentionDays;
  /** Milliseconds between checks for reminders and gathered changes. */
  noticeInterval?: number | undefined;
}

/** Work that one process does from time to time; returns the seconds until the next time. */
type Periodic = (scope: PeriodicScope, signal: AbortSignal) => Promise<number>;

/** How many of these a process runs at once. */
const most = 3;

const work: Record<string, Periodic> = {
  notices: async (scope) => {
    const due = [await queueGatheredChanges(scope), await queueDueReminders(scope)];
    if (due.includes(true)) scope.nudge('notices');
    return (scope.noticeInterval ?? 15_000) / 1000;
  },
  warnings: async ({ db, nudge }) => {
    if (await warnOfFailures(db)) nudge('account_mails');
    return 60;
  },
  deletions: deleteOrganizations,
  sweep: async ({ db, log, retentionDays }, signal) => {
    const failures = await sweep(db, { retentionDays, signal });
    for (const { rows, error } of failures) log.warn({ err: error, rows }, 'cannot delete expired rows');
    return 600;
  },
};

export function periodicLane(scope: PeriodicScope): Lane {
  const queue = new JobQueue(scope.db, 'periodic');
  return {
    queue,
    free: (countOf) => most - countOf('periodic'),
    start: () =>
      void addMissing(scope.db).catch((error) => scope.log.warn({ err: error }, 'cannot queue periodic work')),
    run: async (job, signal) => {
      let seconds = 30;
      try {
        seconds = (await work[job.kind]?.(scope, signal)) ?? seconds;
      } catch (error) {
        scope.log.warn({ err: error, work: job.kind }, 'periodic work failed');
      }
      await queue.again(job, { seconds });
    },
  };
}

async function addMissing(db: Database): Promise<void> {
  const kinds = Object.keys(work);
  // a start need not sweep at once
  await db.run(
    built(sql`insert into job (id, lane, kind, key, data, due_at)
    select id, 'periodic', kind, kind, '{}', ${dueNow} + case kind when 'sweep' then interval '10 minutes' else interval '0' end
    from unnest(${kinds.map(() => randomUUIDv7())}::uuid[], ${kinds}::text[]) as n (id, kind)
    on conflict do nothing`),
  );
}

const anyDeleted = prepared(() =>
  tables
    .selectFrom('organization')
    .select([])
    .where('deleted_at', 'is not', null)
    .limit((eb) => eb.lit(1)),
);

/** Deletes organizations step by step, with a pause after each for as long as it took, to limit the load. */
async function deleteOrganizations({ db, bounded, log, nudge }: PeriodicScope, signal: AbortSignal): Promise<number> {
  const waiting: string[] = [];
  while (!signal.aborted) {
    const began = performance.now();
    const step = await deleteStep({ db, bounded }, waiting);
    if (!step) break;
    if (step.outcome === 'waiting') waiting.push(step.organizationId);
    if (step.outcome === 'continued') nudge('notices');
    if (step.outcome === 'gone') log.info({ organizationId: step.organizationId }, 'an organization was deleted');
    await sleep(performance.now() - began, undefined, { signal, ref: false }).catch(() => undefined);
  }
  // soon again while mails wait, or while another process deletes one: it may not finish
  return (await db.row(anyDeleted({}))) ? 1 : 300;
}
