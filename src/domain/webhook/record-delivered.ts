import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Database, UnitOfWork } from '../../engine/database.ts';
import { type JobQueue, lookUpOnly } from '../../engine/jobs/job-queue.ts';
import type { DeliveryJob } from './delivery-jobs.ts';
import { isLogFull, trimLog } from './delivery-log.ts';
import type { EndpointAnswer } from './endpoint.ts';
import { typeOf } from './message.ts';

/** An attempt that was delivered. */
export interface Delivered {
  job: DeliveryJob;
  answer: EndpointAnswer;
}

/**
 * Records deliveries in one transaction under the locks of their webhooks: most attempts succeed, and one at a time they took longer to
 * record than to send. Of what was taken out of the queue meanwhile nothing is recorded.
 *
 * @returns whether other changes of the same objects are due now
 */
export async function recordDelivered(db: Database, queue: JobQueue, all: readonly Delivered[]): Promise<boolean> {
  const jobs = all.map(({ job }) => job);
  await db.transaction(async (unit) => {
    await unit.run(lookUpOnly);
    const webhooks = [...new Set(all.map(({ job }) => job.party))];
    await unit.rows(sql`select from webhook where id = any(${webhooks}::uuid[]) order by id for no key update`);
    const ended = await queue.endIn(unit, jobs);
    await logDelivered(
      unit,
      all.filter(({ job }) => ended.has(job.id)),
    );
  });
  return await db.transaction(async (unit) => {
    await unit.run(lookUpOnly);
    return await queue.releaseNext(jobs, unit);
  });
}

/** Slower deliveries leave some places to others (interface/webhooks.md#fairness), in milliseconds. */
const quick = 1_000;

async function logDelivered(unit: UnitOfWork, delivered: readonly Delivered[]): Promise<void> {
  if (delivered.length === 0) return;
  const column = <Value>(read: (each: Delivered) => Value) => delivered.map(read);
  const slow = delivered.filter(({ answer }) => answer.duration_ms > quick).map(({ job }) => job.party);
  const webhooks = await unit.rows<{ id: string; is_full: boolean }>(sql`with logged as (
      insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, http_status, error, response,
        duration_ms, created_at, next_attempt_at, change, seq)
      select id, webhook_id, (change->>'id')::uuid, type, attempt, 'succeeded', http_status, null, null, duration_ms, now(),
        null, change, seq
      from unnest(${column(() => randomUUIDv7())}::uuid[], ${column(({ job }) => job.party)}::uuid[],
        ${column(({ job }) => typeOf(job.data.change))}::text[], ${column(({ job }) => job.data.attempts + 1)}::int[],
        ${column(({ answer }) => answer.http_status)}::int[], ${column(({ answer }) => answer.duration_ms)}::int[],
        ${column(({ job }) => JSON.stringify(job.data.change))}::jsonb[], ${column(({ job }) => job.position)}::bigint[])
        as given (id, webhook_id, type, attempt, http_status, duration_ms, change, seq)
      returning webhook_id
    )
    update webhook set last_success_at = now(), failing_since = null, warnings = 0, healthy = true, answering = true,
      quick = id <> all(${slow}::uuid[]), logged = logged + n
    from (select webhook_id, count(*)::int as n from logged group by webhook_id) counted where id = counted.webhook_id
    returning id, ${isLogFull} as is_full`);
  for (const { id, is_full: isFull } of webhooks) if (isFull) await trimLog(unit, id);
}
