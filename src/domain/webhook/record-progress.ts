import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Database, UnitOfWork } from '../../engine/database.ts';
import type { ChangeRow } from '../change/change-view.ts';
import type { Place } from '../change/place.ts';
import { isLogFull, trimLog } from './delivery-log.ts';
import type { EndpointAnswer } from './endpoint.ts';
import { typeOf } from './message.ts';
import type { TurnKey } from './turns.ts';
import { setPlaces } from './webhook-place.ts';
import { endDue, type QueuedChange, queueChanges, releaseDue } from './webhook-queue.ts';

/** A change that a process sends. */
export interface SentChange {
  seq: string;
  change: ChangeRow;
  /** How many tries were recorded before. */
  attempts: number;
  /** Whether it waits in `webhook_due`; one that was just read from the log does not, unless it fails or takes long. */
  isQueued: boolean;
}

/** A try that was delivered. */
export interface DeliveredTry {
  sent: SentChange;
  answer: EndpointAnswer;
}

/** What a process has done for a webhook since it last recorded something of it. */
export interface Progress {
  key: TurnKey;
  delivered: readonly DeliveredTry[];
  /** Changes of the log that wait from now on. */
  queued: readonly QueuedChange[];
  /** The ids of waiting changes that were taken and not tried. */
  released: readonly string[];
  /** How far it has come in the log; null if no further. */
  reached: Reached | null;
}

export interface Reached {
  /** When the webhook had last been redirected as the log was read: if it was again, this place does not count. */
  redirectedAt: string | null;
  to: Place | null;
  /** Whether there is known to be more. */
  more: boolean;
}

interface Locked {
  id: string;
  turn: string | null;
  redirected_at: string | null;
  kinds: string[];
}

/**
 * Records deliveries, what has to wait, and how far the log was read, in one transaction under the locks of the webhooks: most tries
 * succeed, and one at a time they took longer to record than to send. Nothing is recorded for a turn that was lost.
 *
 * @returns the ids of the webhooks that were redirected meanwhile
 */
export async function recordProgress(db: Database, given: readonly Progress[]): Promise<Set<string>> {
  return await db.transaction(async (unit) => {
    const ids = [...new Set(given.map(({ key }) => key.webhook_id))];
    const rows = await unit.rows<Locked>(
      sql`select id, turn, redirected_at, kinds from webhook where id = any(${ids}::uuid[]) order by id for update`,
    );
    const locked = new Map(rows.map((each) => [each.id, each]));
    const all = given.filter(({ key }) => locked.get(key.webhook_id)?.turn === key.turn);
    const delivered = all.flatMap((each) =>
      each.delivered.map((tried) => ({ ...tried, webhookId: each.key.webhook_id })),
    );
    await logDelivered(unit, delivered);
    for (const { key, delivered, queued, released } of all) {
      const waited = delivered.flatMap(({ sent }) => (sent.isQueued ? [sent.change.id] : []));
      await endDue(unit, key, waited);
      const { kinds = [] } = locked.get(key.webhook_id) ?? {};
      // a kind may have been taken out meanwhile
      const wanted = queued.filter(({ change }) => kinds.includes(change.kind));
      await queueChanges(unit, { id: key.webhook_id, organization_id: key.organization_id }, wanted);
      await releaseDue(unit, key.webhook_id, released);
    }
    const reached = all.flatMap(({ key, reached: to }) => (to ? [{ ...to, id: key.webhook_id }] : []));
    const counts = ({ id, redirectedAt }: (typeof reached)[number]) => locked.get(id)?.redirected_at === redirectedAt;
    const unmoved = reached.filter(counts);
    if (unmoved.length > 0) await unit.run(setPlaces(unmoved));
    return new Set(reached.filter((each) => !counts(each)).map(({ id }) => id));
  });
}

type OfWebhook = DeliveredTry & { webhookId: string };

/** Slower deliveries leave some places to others (interface/webhooks.md#fairness), in milliseconds. */
const quick = 1_000;

async function logDelivered(unit: UnitOfWork, delivered: readonly OfWebhook[]): Promise<void> {
  if (delivered.length === 0) return;
  const column = <Value>(read: (each: OfWebhook) => Value) => delivered.map(read);
  const slow = delivered.filter(({ answer }) => answer.duration_ms > quick).map(({ webhookId }) => webhookId);
  const webhooks = await unit.rows<{ id: string; is_full: boolean }>(sql`with logged as (
      insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, http_status, error, response,
        duration_ms, created_at, next_attempt_at, change, seq)
      select id, webhook_id, (change->>'id')::uuid, type, attempt, 'succeeded', http_status, null, null, duration_ms, now(),
        null, change, seq
      from unnest(${column(() => randomUUIDv7())}::uuid[], ${column(({ webhookId }) => webhookId)}::uuid[], ${column(({ sent }) => typeOf(sent.change))}::text[],
        ${column(({ sent }) => sent.attempts + 1)}::int[], ${column(({ answer }) => answer.http_status)}::int[],
        ${column(({ answer }) => answer.duration_ms)}::int[],
        ${column(({ sent }) => JSON.stringify(sent.change))}::jsonb[], ${column(({ sent }) => sent.seq)}::bigint[])
        as given (id, webhook_id, type, attempt, http_status, duration_ms, change, seq)
      returning webhook_id
    )
    update webhook set last_success_at = now(), failing_since = null, warnings = 0, healthy = true, answering = true,
      quick = id <> all(${slow}::uuid[]), logged = logged + n
    from (select webhook_id, count(*)::int as n from logged group by webhook_id) counted where id = counted.webhook_id
    returning id, ${isLogFull} as is_full`);
  for (const { id, is_full: isFull } of webhooks) if (isFull) await trimLog(unit, id);
}
