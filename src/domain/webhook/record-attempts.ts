import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { EndpointAnswer } from '#endpoint-client';
import { isoTimestamp } from '#input-values';
import { built, empty, prepared, type RowOf } from '#postgres-access';
import type { Database, UnitOfWork } from '../../engine/database.ts';
import type { JobQueue } from '../../engine/jobs/job-queue.ts';
import { setInIndexOrder, setInIndexOrderDeferred } from '../../engine/planner.ts';
import { auditSql } from '../audit/audit.ts';
import { now, tables } from '../tables/tables.ts';
import { typeOf } from './delivery.ts';
import type { DeliveryData, DeliveryJob } from './delivery-jobs.ts';
import { warnDisabled } from './webhook-mail.ts';

export interface Attempt {
  job: DeliveryJob;
  /** Null if it was not sent. */
  answer: EndpointAnswer | null;
}

/** Milliseconds. A webhook with slower deliveries is not healthy (reference/webhooks.md#fairness). */
const healthyWithin = 1_000;

const lockedWebhook = prepared((at: { id: string }) =>
  tables.selectFrom('webhook').select([]).where('id', '=', at.id).forUpdate(),
);

/**
 * Records successful deliveries and makes unsent ones due again, in one transaction that locks their webhooks: recording them one by one
 * took longer than sending them. Skips successes whose jobs were deleted meanwhile.
 */
export async function recordDelivered(db: Database, queue: JobQueue, all: readonly Attempt[]): Promise<void> {
  const [delivered, unsent] = [all.filter(({ answer }) => answer), all.filter(({ answer }) => !answer)];
  const jobs = delivered.map(({ job }) => job);
  const ended = sql`locked as materialized (
      select id from webhook where id = any(${[...new Set(all.map(({ job }) => job.party))]}::uuid[]) order by id for no key update
    ), ended as (
      delete from job where (select count(*) from locked) > 0 and id = any(${jobs.map(({ id }) => id)}::uuid[])
      returning party, about, position, data
    )`;
  const isAnyDue = await db.transaction(async (unit) => {
    // if a crash of PostgreSQL loses this, the changes are delivered again
    await unit.run(setInIndexOrderDeferred);
    await log(unit, delivered, {
      ended,
      next: null,
      webhook: sql`last_success_at = now(), failing_since = null, warnings = 0, answering = true, healthy = slowest <= ${healthyWithin}`,
    });
    await Promise.all(unsent.map(({ job }) => queue.again(job, { seconds: 0 }, unit)));
    // also here, in case the process dies before the call after the commit
    return (await queue.releaseNext(jobs, unit)) || unsent.length > 0;
  });
  queue.wanted ||= isAnyDue;
  await queue.releaseNext(jobs);
}

const waitingAttempt = prepared((at: { id: string; attempts: number }) =>
  tables
    .selectFrom('job')
    .innerJoin('webhook as w', 'w.id', 'job.party')
    .select([sql<DeliveryData>`job.data`.as('data'), 'w.status', 'w.last_success_at', now.as('now')])
    .where('job.id', '=', at.id)
    .where('job.attempts', '=', at.attempts),
);
type Waiting = RowOf<typeof waitingAttempt>;

const nobody = { ip: null, userAgent: null, requestId: null };

type Outcome = { next: 'given up' } | { next: 'again'; seconds: number } | { next: 'disabled'; reason: string };

/**
 * Records a failed attempt and its outcome under the webhook's lock (reference/webhooks.md#attempts). Records nothing and returns null
 * if the change no longer waits, or another process has claimed it.
 */
export async function recordFailure(
  db: Database,
  queue: JobQueue,
  job: DeliveryJob,
  answer: EndpointAnswer,
): Promise<Outcome['next'] | null> {
  const next = await db.transaction(async (unit) => {
    await unit.run(setInIndexOrder);
    await unit.row(lockedWebhook({ id: job.party }));
    // a separate statement, which sees commits made during the wait for the lock
    const waiting = await unit.row(waitingAttempt(job));
    if (!waiting) return null;
    const outcome = outcomeOf(waiting, answer);
    const seconds = outcome.next === 'again' ? outcome.seconds : null;
    const reason = outcome.next === 'disabled' && waiting.status !== 'disabled' ? outcome.reason : null;
    const status = reason === null ? empty : sql`, status = 'disabled', status_reason = ${reason}`;
    await log(unit, [{ job, answer }], {
      ended: sql`ended as (select party, about, position, data from job where id = ${job.id}::uuid)`,
      next: seconds,
      webhook: sql`last_failure_at = now(), failing_since = coalesce(failing_since, now()), healthy = false,
        answering = ${answer.http_status !== null}${status}`,
    });
    if (reason !== null) {
      const entry = { organizationId: job.organization_id as string, subjectId: job.party, detail: { reason } };
      await unit.run(auditSql(nobody, { action: 'webhook.disabled', ...entry }, [job.party]));
      await unit.run(warnDisabled({ webhookId: job.party }));
    }
    if (outcome.next === 'given up') {
      await queue.endIn(unit, job);
    } else {
      const { attempts, step, firstTriedAt } = waiting.data;
      const next = { attempts: attempts + 1, step: step + 1, firstTriedAt: firstTriedAt ?? isoTimestamp(waiting.now) };
      const data: DeliveryData = { ...waiting.data, ...next };
      // if the webhook was disabled, the next claim suspends the job
      await queue.again(job, { seconds: seconds ?? 0, failed: 'failed', data }, unit);
    }
    return outcome.next;
  });
  if (next === 'given up') await queue.releaseNext([job]);
  return next;
}

function outcomeOf({ data: { step, firstTriedAt }, last_success_at }: Waiting, answer: EndpointAnswer): Outcome {
  if (answer.http_status === 410) return { next: 'disabled', reason: 'The endpoint answered 410: it is gone.' };
  const seconds = nextDelay(step, answer.retryAfter);
  if (seconds !== null) return { next: 'again', seconds };
  const delivered = last_success_at === null ? null : isoTimestamp(last_success_at);
  if (firstTriedAt !== null && delivered !== null && delivered >= firstTriedAt) return { next: 'given up' };
  const reason = `No attempt to deliver a change succeeded. The last one: ${answer.error}.`;
  return { next: 'disabled', reason };
}

const minute = 60;
const hour = 60 * minute;
/** Seconds from a failed attempt to the next one (reference/webhooks.md#attempts). */
const delays = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
/** How far a delay varies, so that changes that failed together are not sent again together. */
const jitter = 0.2;
/** Seconds by which an attempt may begin late. */
const lateness = 1;

/** Seconds until the next attempt, at least `retryAfter` up to an hour; null if `step` attempts of the schedule were the last. */
export function nextDelay(step: number, retryAfter: number | null): number | null {
  const delay = delays[step];
  if (delay === undefined) return null;
  const [least, most] = [delay * (1 - jitter), delay * (1 + jitter) - lateness];
  const varied = least + (most - least) * Math.random();
  return Math.max(varied, Math.min(retryAfter ?? 0, hour));
}

/** How many attempts of a webhook are kept (reference/webhooks.md#deliveries), and how many are deleted at once. */
const kept = { most: 100_000, atOnce: 1_000 };

interface Entries {
  /** The query `ended` with the jobs of the attempts to log. */
  ended: RawBuilder<unknown>;
  /** Seconds until the next attempt. */
  next: number | null;
  /** Assignments to the columns of the webhooks. */
  webhook: RawBuilder<unknown>;
}

/** Adds attempts to the log of locked webhooks. */
async function log(unit: UnitOfWork, attempts: readonly Attempt[], { ended, next, webhook }: Entries): Promise<void> {
  const given = attempts.map(({ job: { party, data }, answer }) => ({
    ...{ id: randomUUIDv7(), webhook_id: party, change_id: data.change.id, type: typeOf(data.change) },
    ...{ attempt: data.attempts + 1, ...answer },
  }));
  const webhooks = await unit.rows(
    built(sql<{ id: string; is_full: boolean }>`with ${ended}, logged as (
      insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, http_status, error, response,
        duration_ms, created_at, next_attempt_at, change, seq)
      select id, webhook_id, change_id, type, attempt, case when error is null then 'succeeded' else 'failed' end,
        http_status, error, case when error is not null then response end, duration_ms, now(),
        now() + make_interval(secs => ${next}), data->'change', position
      from ended join json_populate_recordset(null::webhook_delivery, ${JSON.stringify(given)}::json)
        on webhook_id = party and change_id = about
      returning webhook_id, duration_ms
    )
    update webhook set ${webhook}, logged = logged + n
    from (select webhook_id, count(*)::int as n, max(duration_ms) as slowest from logged group by webhook_id) counted
    where id = counted.webhook_id returning id, logged > ${kept.most} as is_full`),
  );
  for (const { id, is_full: isFull } of webhooks) if (isFull) await trimLog(unit, id);
}

async function trimLog(unit: UnitOfWork, webhookId: string): Promise<void> {
  const left = kept.most - kept.atOnce;
  await unit.run(
    built(sql`with newest as (
      select created_at, id from webhook_delivery where webhook_id = ${webhookId}::uuid
      order by created_at desc, id desc offset ${left} limit 1
    ), gone as (
      delete from webhook_delivery d using newest
      where d.webhook_id = ${webhookId}::uuid and (d.created_at, d.id) <= (newest.created_at, newest.id)
    )
    update webhook set logged = ${left} where id = ${webhookId}::uuid`),
  );
}
