import { sql } from 'kysely';
import { built, prepared } from '#postgres-access';
import type { EventTold } from '../domain/event/event-notice.ts';
import type { FanOutNotice } from '../domain/event/fan-out-notice.ts';
import { mailJobsSql } from '../domain/subscription/queue-mails.ts';
import { liveStatuses } from '../domain/subscription/subscription.state.ts';
import { noticeMail } from '../domain/subscription/subscription-mail.ts';
import { jobs } from '../engine/jobs/job.table.ts';
import { type ClaimedJob, JobQueue } from '../engine/jobs/job-queue.ts';
import { lowestId } from '../engine/position.ts';
import { retries } from './mails.ts';
import type { Lane, LaneScope } from './runner.ts';

interface NoticeScope extends LaneScope {
  /** Whether mails beyond a recipient's budget become a digest. */
  bounded: boolean;
}

interface NoticeData {
  told: EventTold;
  /** The last subscription whose mail was queued; absent before the first. */
  afterCreatedAt?: string;
  afterId?: string;
}

/** How many subscriptions one transaction queues mails for; halved after each failure. */
const pieceSize = 500;
/** The clocks of processes may differ by this much. */
const clockDifference = sql`interval '2 seconds'`;

/** Queues the mails of notices piece by piece, so that no event blocks another; those of one event in order (note 0009). */
export function noticeLane(scope: NoticeScope): Lane {
  const queue = new JobQueue(scope.db, 'notices');
  return {
    queue,
    free: (countOf) => 1 - countOf('notices'),
    run: async (job) => {
      try {
        await queuePiece(scope, queue, job);
        await queue.releaseNext([job]);
      } catch (error) {
        await putOff(scope, queue, job, error);
      } finally {
        // mails are sent while the rest is being queued
        scope.nudge('event_mails');
      }
    },
  };
}

const claimedNotice = prepared((at: { id: string; attempts: number }) =>
  jobs
    .selectFrom('job')
    .select(['created_at', sql<NoticeData>`data`.as('data')])
    .where('id', '=', at.id)
    .where('attempts', '=', at.attempts)
    .forUpdate(),
);

/** Queues the mails of one piece, and stores in the same transaction how far that is. */
async function queuePiece({ db, bounded }: NoticeScope, queue: JobQueue, job: ClaimedJob): Promise<void> {
  const { key: eventId, position, organization_id: organizationId } = job;
  const notice = job.kind as FanOutNotice;
  const size = Math.max(1, pieceSize >> (job.attempts - 1));
  await db.transaction(async (unit) => {
    const locked = await unit.row(claimedNotice(job));
    if (!locked) return;
    const { created_at: createdAt, data } = locked;
    const { told, afterCreatedAt = '-infinity', afterId = lowestId } = data;
    // later subscribers need no notice
    const rest = sql`from subscription s where s.event_id = ${eventId}::uuid
      and (s.created_at, s.id) > (${afterCreatedAt}::timestamptz, ${afterId}::uuid)
      and s.created_at <= ${createdAt}::timestamptz + ${clockDifference}`;
    const piece = await unit.row(
      built(sql<{ created_at: string; id: string; subscriptions: number }>`select created_at, id,
        (row_number() over (order by created_at, id))::int as subscriptions
      from (select s.created_at, s.id ${rest} order by s.created_at, s.id limit ${size}) s
      order by created_at desc, id desc limit 1`),
    );
    if (piece) {
      const statuses = notice === 'reminder' ? ['accepted'] : liveStatuses;
      const given = sql`select row_number() over () as n, gen_random_uuid() as id, ${noticeMail.kind}::text as kind,
          jsonb_build_object('subscriptionId', s.id, 'notice', ${notice}::text, 'told', ${JSON.stringify(told)}::jsonb) as data,
          s.id as about, ${organizationId}::uuid as organization_id, s.user_id as recipient
        ${rest} and (s.created_at, s.id) <= (${piece.created_at}::timestamptz, ${piece.id}::uuid)
          and s.status = any(${statuses}::text[])`;
      await unit.rows(built(mailJobsSql(given, { bounded, gathered: notice === 'digest', position })));
    }
    const next = piece?.subscriptions === size && { told, afterCreatedAt: piece.created_at, afterId: piece.id };
    if (next) await queue.again(job, { seconds: 0, data: next }, unit);
    else await queue.endIn(unit, job);
  });
}

async function putOff({ log }: NoticeScope, queue: JobQueue, job: ClaimedJob, error: unknown): Promise<void> {
  const { key: event, attempts } = job;
  const fields = { err: error, event, attempts };
  if (attempts >= retries.most) {
    log.error(fields, 'gave up on the mails about an event');
    return await queue.end(job);
  }
  log.warn(fields, 'mails about an event could not be queued and will be retried');
  await queue.again(job, { seconds: retries.seconds(attempts), failed: 'failed' });
}
