import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Database, UnitOfWork } from '../../engine/database.ts';
import { isoTimestamp } from '../../kernel/scalars.ts';
import { auditSql } from '../audit/audit.ts';
import { isLogFull, trimLog } from './delivery-log.ts';
import type { EndpointAnswer } from './endpoint.ts';
import { typeOf } from './message.ts';
import type { SentChange } from './record-progress.ts';
import { nextDelay } from './schedule.ts';
import type { TurnKey } from './turns.ts';
import { tellDisabled } from './webhook-mail.ts';
import { endDue, lookUpOnly, queueChanges } from './webhook-queue.ts';

interface Waiting {
  attempts: number;
  step: number;
  first_tried_at: string | null;
  status: string;
  last_success_at: string | null;
}

/** What becomes of a change after a try. */
type Outcome = { next: 'given up' } | { next: 'again'; seconds: number } | { next: 'disabled'; reason: string };

/** A change that a process has tried to send, in a turn of its webhook. */
type Tried = TurnKey & { sent: SentChange };

/**
 * Records a try that failed and what follows from it, in one transaction under the webhook's lock (interface/webhooks.md#tries); from then
 * on, the change waits. Returns null if the turn was lost, or the webhook is no longer about the change: then nothing is recorded.
 */
export async function recordFailure(
  db: Database,
  tried: Tried,
  answer: EndpointAnswer,
): Promise<Outcome['next'] | null> {
  return await db.transaction(async (unit) => {
    await unit.run(lookUpOnly);
    const waiting = await findWaiting(unit, tried);
    if (!waiting) return null;
    const outcome = outcomeOf(waiting, answer);
    await insertDelivery(unit, tried, answer, outcome);
    await noteFailure(unit, tried, answer);
    if (outcome.next === 'disabled' && waiting.status !== 'disabled') await disable(unit, tried, outcome.reason);
    await moveOn(unit, tried, outcome);
    return outcome.next;
  });
}

async function findWaiting(unit: UnitOfWork, tried: Tried): Promise<Waiting | null> {
  const { webhook_id: id, organization_id, turn, sent } = tried;
  const webhook = await unit.row<{ kinds: string[] }>(
    sql`select kinds from webhook where id = ${id}::uuid and turn = ${turn}::uuid for update`,
  );
  if (!webhook?.kinds.includes(sent.change.kind)) return null;
  if (!sent.isQueued) await queueChanges(unit, { id, organization_id }, [sent]);
  // a statement of its own, which sees what was committed while it waited for the lock
  const waiting = await unit.row<Waiting>(sql`select d.attempts, d.step, d.first_tried_at, w.status, w.last_success_at
      from webhook_due d join webhook w on w.id = d.webhook_id where ${isOf(tried)}`);
  return waiting ?? null;
}

/** The condition for the row of a change that waits. */
const isOf = ({ webhook_id, sent }: Tried) =>
  sql`webhook_id = ${webhook_id}::uuid and change_id = ${sent.change.id}::uuid`;

function outcomeOf({ step, first_tried_at, last_success_at }: Waiting, answer: EndpointAnswer): Outcome {
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
  { webhook_id, sent: { change, attempts, seq } }: Tried,
  answer: EndpointAnswer,
  outcome: Outcome,
): Promise<void> {
  const next = outcome.next === 'again' ? sql`now() + make_interval(secs => ${outcome.seconds})` : sql`null`;
  await unit.run(sql`insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, http_status, error,
      response, duration_ms, created_at, next_attempt_at, change, seq)
    values (${randomUUIDv7()}, ${webhook_id}::uuid, ${change.id}::uuid, ${typeOf(change)}, ${attempts + 1},
      'failed', ${answer.http_status}, ${answer.error}, ${answer.response},
      ${answer.duration_ms}, now(), ${next}, ${JSON.stringify(change)}::jsonb, ${seq}::bigint)`);
}

async function noteFailure(unit: UnitOfWork, { webhook_id }: Tried, answer: EndpointAnswer): Promise<void> {
  const noted = await unit.row<{ is_full: boolean }>(sql`update webhook set last_failure_at = now(),
      failing_since = coalesce(failing_since, now()), healthy = false, answering = ${answer.http_status !== null},
      logged = logged + 1 where id = ${webhook_id}::uuid returning ${isLogFull} as is_full`);
  if (noted?.is_full) await trimLog(unit, webhook_id);
}

async function disable(unit: UnitOfWork, { webhook_id, organization_id }: Tried, reason: string): Promise<void> {
  await unit.run(sql`update webhook set status = 'disabled', status_reason = ${reason} where id = ${webhook_id}::uuid`);
  const nobody = { ip: null, userAgent: null, requestId: null };
  const entry = { action: 'webhook.disabled' as const, organizationId: organization_id, subjectId: webhook_id };
  await unit.run(auditSql(nobody, { ...entry, detail: { reason } }, [webhook_id]));
  await tellDisabled(unit, webhook_id);
}

/** The change goes if it is given up, so that the next one of its object follows, and waits for its next try otherwise. */
async function moveOn(unit: UnitOfWork, tried: Tried, outcome: Outcome): Promise<void> {
  if (outcome.next === 'given up') {
    await endDue(unit, tried, [tried.sent.change.id]);
    return;
  }
  const seconds = outcome.next === 'again' ? outcome.seconds : 0;
  await unit.run(sql`update webhook_due set attempts = attempts + 1, step = step + 1,
      first_tried_at = coalesce(first_tried_at, now()), due_at = now() + make_interval(secs => ${seconds}) where ${isOf(tried)}`);
}
