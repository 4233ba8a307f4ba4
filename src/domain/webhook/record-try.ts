import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Database, UnitOfWork } from '../../engine/database.ts';
import { isoTimestamp } from '../../kernel/scalars.ts';
import { auditSql } from '../audit/audit.ts';
import type { EndpointAnswer } from './endpoint.ts';
import { typeOf } from './message.ts';
import { nextDelay } from './schedule.ts';
import { tellDisabled } from './webhook-mail.ts';
import { type ClaimedChange, holdBack, lookUpOnly } from './webhook-queue.ts';

interface Tried {
  attempts: number;
  step: number;
  first_tried_at: string | null;
  status: string;
  last_success_at: string | null;
}

/** What becomes of a change after a try. */
type Outcome =
  | { next: 'delivered' | 'given up' }
  | { next: 'again'; seconds: number }
  | { next: 'disabled'; reason: string };

/**
 * Records a try and what follows from it, in one transaction under the webhook's lock (interface/webhooks.md#tries).
 * Returns null if the claim was lost, or the webhook was deleted: then nothing is recorded.
 */
export async function recordTry(
  db: Database,
  claimed: ClaimedChange,
  answer: EndpointAnswer,
): Promise<Outcome['next'] | null> {
  return await db.transaction(async (unit) => {
    await unit.run(lookUpOnly);
    const tried = await findTried(unit, claimed);
    if (!tried) return null;
    const outcome = outcomeOf(tried, answer);
    await insertDelivery(unit, claimed, answer, outcome);
    if (answer.delivered) await noteSuccess(unit, claimed);
    else await noteFailure(unit, claimed, answer);
    if (outcome.next === 'disabled' && tried.status !== 'disabled') await disable(unit, claimed, outcome.reason);
    await moveOn(unit, claimed, outcome);
    return outcome.next;
  });
}

async function findTried(unit: UnitOfWork, { id, claim, webhook_id }: ClaimedChange): Promise<Tried | null> {
  const webhook = await unit.row(sql`select from webhook where id = ${webhook_id}::uuid for update`);
  if (!webhook) return null;
  // a statement of its own, which sees what was committed while it waited for the lock
  const tried = await unit.row<Tried>(sql`select d.attempts, d.step, d.first_tried_at, w.status, w.last_success_at
      from webhook_due d join webhook w on w.id = d.webhook_id where d.id = ${id}::uuid and d.claim = ${claim}::uuid`);
  return tried ?? null;
}

function outcomeOf({ step, first_tried_at, last_success_at }: Tried, answer: EndpointAnswer): Outcome {
  if (answer.delivered) return { next: 'delivered' };
  if (answer.http_status === 410) return { next: 'disabled', reason: 'The endpoint answered 410: it is gone.' };
  const seconds = nextDelay(step, answer.retryAfter);
  if (seconds !== null) return { next: 'again', seconds };
  const since = first_tried_at === null ? null : isoTimestamp(first_tried_at);
  const delivered = last_success_at === null ? null : isoTimestamp(last_success_at);
  if (since !== null && delivered !== null && delivered >= since) return { next: 'given up' };
  const reason = `Nothing was delivered during all tries of a change. The last try: ${answer.error}.`;
  return { next: 'disabled', reason };
}

async function insertDelivery(
  unit: UnitOfWork,
  { webhook_id, change, attempts, seq }: ClaimedChange,
  answer: EndpointAnswer,
  outcome: Outcome,
): Promise<void> {
  const next = outcome.next === 'again' ? sql`now() + make_interval(secs => ${outcome.seconds})` : sql`null`;
  await unit.run(sql`insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, http_status, error,
      response, duration_ms, created_at, next_attempt_at, change, seq)
    values (${randomUUIDv7()}, ${webhook_id}::uuid, ${change.id}::uuid, ${typeOf(change)}, ${attempts + 1},
      ${answer.delivered ? 'succeeded' : 'failed'}, ${answer.http_status}, ${answer.error}, ${answer.response},
      ${answer.duration_ms}, now(), ${next}, ${JSON.stringify(change)}::jsonb, ${seq}::bigint)`);
}

async function noteSuccess(unit: UnitOfWork, { webhook_id }: ClaimedChange): Promise<void> {
  await unit.run(sql`update webhook set last_success_at = now(), failing_since = null, warnings = 0, healthy = true,
      answering = true where id = ${webhook_id}::uuid`);
}

async function noteFailure(unit: UnitOfWork, { webhook_id }: ClaimedChange, answer: EndpointAnswer): Promise<void> {
  await unit.run(sql`update webhook set last_failure_at = now(), failing_since = coalesce(failing_since, now()),
      healthy = false, answering = ${answer.http_status !== null} where id = ${webhook_id}::uuid`);
}

async function disable(
  unit: UnitOfWork,
  { webhook_id, organization_id }: ClaimedChange,
  reason: string,
): Promise<void> {
  await unit.run(sql`update webhook set status = 'disabled', status_reason = ${reason} where id = ${webhook_id}::uuid`);
  const nobody = { ip: null, userAgent: null, requestId: null };
  const entry = { action: 'webhook.disabled' as const, organizationId: organization_id, subjectId: webhook_id };
  await unit.run(auditSql(nobody, { ...entry, detail: { reason } }, [webhook_id]));
  await tellDisabled(unit, webhook_id);
}

/** The change goes if it is done with, and waits for its next try otherwise; the next one of its object follows. */
async function moveOn(unit: UnitOfWork, { id, webhook_id, change }: ClaimedChange, outcome: Outcome): Promise<void> {
  if (outcome.next === 'delivered' || outcome.next === 'given up') {
    await unit.run(sql`delete from webhook_due where id = ${id}::uuid`);
    await holdBack(unit, [{ webhookId: webhook_id, change }]);
    return;
  }
  const seconds = outcome.next === 'again' ? outcome.seconds : 0;
  await unit.run(sql`update webhook_due set attempts = attempts + 1, step = step + 1,
      first_tried_at = coalesce(first_tried_at, now()), due_at = now() + make_interval(secs => ${seconds}),
      claim = null, claimed_until = null, run_until = null where id = ${id}::uuid`);
}
