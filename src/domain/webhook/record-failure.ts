import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Database, UnitOfWork } from '../../engine/database.ts';
import { type JobQueue, lookUpOnly } from '../../engine/jobs/job-queue.ts';
import { isoTimestamp } from '../../kernel/scalars.ts';
import { auditSql } from '../audit/audit.ts';
import type { DeliveryData, DeliveryJob } from './delivery-jobs.ts';
import { isLogFull, trimLog } from './delivery-log.ts';
import type { EndpointAnswer } from './endpoint.ts';
import { typeOf } from './message.ts';
import { nextDelay } from './schedule.ts';
import { tellDisabled } from './webhook-mail.ts';

interface Waiting {
  data: DeliveryData;
  status: string;
  last_success_at: string | null;
  now: string;
}

/** What becomes of a change after an attempt. */
type Outcome = { next: 'given up' } | { next: 'again'; seconds: number } | { next: 'disabled'; reason: string };

/**
 * Records an attempt that failed and what follows from it, in one transaction under the webhook's lock (interface/webhooks.md#tries).
 * Returns null if the change does not wait any more, or another process has claimed it: then nothing is recorded.
 */
export async function recordFailure(
  db: Database,
  queue: JobQueue,
  job: DeliveryJob,
  answer: EndpointAnswer,
): Promise<Outcome['next'] | null> {
  const next = await db.transaction(async (unit) => {
    await unit.run(lookUpOnly);
    await unit.row(sql`select from webhook where id = ${job.party}::uuid for update`);
    // a statement of its own, which sees what was committed while it waited for the lock
    const waiting = await unit.row<Waiting>(sql`select job.data, w.status, w.last_success_at, now() as now
      from job join webhook w on w.id = job.party where job.id = ${job.id}::uuid and job.attempts = ${job.attempts}`);
    if (!waiting) return null;
    const outcome = outcomeOf(waiting, answer);
    await insertDelivery(unit, job, answer, outcome);
    await noteFailure(unit, job, answer);
    if (outcome.next === 'disabled' && waiting.status !== 'disabled') await disable(unit, job, outcome.reason);
    await moveOn(unit, queue, job, { waiting, outcome });
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
  const reason = `Nothing was delivered during all tries of a change. The last try: ${answer.error}.`;
  return { next: 'disabled', reason };
}

async function insertDelivery(
  unit: UnitOfWork,
  { party, position, data: { change, attempts } }: DeliveryJob,
  answer: EndpointAnswer,
  outcome: Outcome,
): Promise<void> {
  const next = outcome.next === 'again' ? sql`now() + make_interval(secs => ${outcome.seconds})` : sql`null`;
  await unit.run(sql`insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, http_status, error,
      response, duration_ms, created_at, next_attempt_at, change, seq)
    values (${randomUUIDv7()}, ${party}::uuid, ${change.id}::uuid, ${typeOf(change)}, ${attempts + 1},
      'failed', ${answer.http_status}, ${answer.error}, ${answer.response},
      ${answer.duration_ms}, now(), ${next}, ${JSON.stringify(change)}::jsonb, ${position}::bigint)`);
}

async function noteFailure(unit: UnitOfWork, { party }: DeliveryJob, answer: EndpointAnswer): Promise<void> {
  const noted = await unit.row<{ is_full: boolean }>(sql`update webhook set last_failure_at = now(),
      failing_since = coalesce(failing_since, now()), healthy = false, answering = ${answer.http_status !== null},
      logged = logged + 1 where id = ${party}::uuid returning ${isLogFull} as is_full`);
  if (noted?.is_full) await trimLog(unit, party);
}

async function disable(
  unit: UnitOfWork,
  { party: webhookId, organization_id }: DeliveryJob,
  reason: string,
): Promise<void> {
  await unit.run(sql`update webhook set status = 'disabled', status_reason = ${reason} where id = ${webhookId}::uuid`);
  const nobody = { ip: null, userAgent: null, requestId: null };
  const entry = {
    action: 'webhook.disabled' as const,
    organizationId: organization_id as string,
    subjectId: webhookId,
  };
  await unit.run(auditSql(nobody, { ...entry, detail: { reason } }, [webhookId]));
  await tellDisabled(unit, webhookId);
}

/** The change goes if it is given up, so that the next one of its object follows, and waits for its next attempt otherwise. */
async function moveOn(
  unit: UnitOfWork,
  queue: JobQueue,
  job: DeliveryJob,
  { waiting, outcome }: { waiting: Waiting; outcome: Outcome },
): Promise<void> {
  if (outcome.next === 'given up') {
    await queue.endIn(unit, [job]);
    return;
  }
  const { attempts, step, firstTriedAt, change } = waiting.data;
  const data: DeliveryData = {
    change,
    attempts: attempts + 1,
    step: step + 1,
    firstTriedAt: firstTriedAt ?? isoTimestamp(waiting.now),
  };
  const seconds = outcome.next === 'again' ? outcome.seconds : 0;
  await queue.again(job, { seconds, failed: 'failed', data }, unit);
}
