import sql from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import type { EndpointAnswer } from './endpoint.ts';
import { typeSql } from './message.ts';
import { type ClaimedChange, lookUpOnly } from './webhook-queue.ts';

/** Whether `w` is about the object of a change that is done with. */
const sameObject = sql`w.webhook_id = done.webhook_id and w.kind = done.kind and w.object_id = done.object_id`;

/** A try that was delivered. */
export interface DeliveredTry {
  claimed: ClaimedChange;
  answer: EndpointAnswer;
}

/**
 * Records deliveries in one transaction under the locks of their webhooks, as `recordTry` records a try: most tries succeed,
 * and one at a time they took longer to record than to send. The next change of each object need not wait any longer. Nothing is
 * recorded of a claim that was lost.
 */
export async function recordDelivered(db: Database, tries: readonly DeliveredTry[]): Promise<void> {
  const column = <Value>(read: (each: DeliveredTry) => Value) => tries.map(read);
  const webhookIds = [...new Set(column(({ claimed }) => claimed.webhook_id))];
  await db.transaction(async (unit) => {
    await unit.run(lookUpOnly);
    await unit.run(sql`select from webhook where id = any(${webhookIds}::uuid[]) order by id for update`);
    // a statement of its own, which sees what was committed while the one before it waited for the locks
    await unit.run(sql`with given as (
        select * from unnest(${column(({ claimed }) => claimed.id)}::uuid[], ${column(({ claimed }) => claimed.claim)}::uuid[],
          ${column(({ answer }) => answer.http_status)}::int[], ${column(({ answer }) => answer.response)}::text[],
          ${column(({ answer }) => answer.duration_ms)}::int[])
          as given (due_id, claim, http_status, response, duration_ms)
      ), done as (
        delete from webhook_due d using given where d.id = given.due_id and d.claim = given.claim
        returning given.*, d.webhook_id, d.change_id, d.change, d.seq, d.kind, d.object_id, d.attempts
      ), next as (
        select w.id from done cross join lateral (
          select w.id from webhook_due w where ${sameObject} and w.held and w.id not in (select due_id from done) order by w.seq limit 1
        ) w
        where not exists (select from webhook_due w where ${sameObject} and not w.held and w.id not in (select due_id from done))
      ), freed as (
        update webhook_due d set held = false from next where d.id = next.id
      ), logged as (
        insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, http_status, error, response,
          duration_ms, created_at, next_attempt_at, change, seq)
        select uuidv7(), webhook_id, change_id, ${typeSql}, attempts + 1, 'succeeded', http_status, null, response, duration_ms, now(),
          null, change, seq from done
      )
      update webhook set last_success_at = now(), failing_since = null, warnings = 0, healthy = true, answering = true
      where id in (select webhook_id from done)`);
  });
}
