import { randomUUIDv7 } from 'node:crypto';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { Database, UnitOfWork } from '../../engine/database.ts';
import type { ChangeRow } from '../change/change-view.ts';

/** A change that waits, or is about to. */
export interface QueuedChange {
  seq: string;
  change: ChangeRow;
  /** How many tries were recorded before. */
  attempts?: number;
  /** When the first of them was, so that a failure goes on in its schedule. */
  firstTriedAt?: string | null;
  /** Whether it is being sent. */
  isUnderWay?: boolean;
}

/** How many changes of an object are taken together; of a webhook whose last try failed, one. */
const mostOfObject = 25;

/**
 * Seconds after which a change that is being sent is sent again, unless something is recorded of it: longer than a page and a try can take, and
 * short enough for another process to follow one that died within a minute.
 */
const longestTry = 40;

/**
 * What waits is looked up by indexes, whatever PostgreSQL knows about a table that was empty a moment ago and is not now. For the
 * transaction that is open.
 */
export const lookUpOnly = sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;

const underWay = sql`now() + make_interval(secs => ${longestTry})`;

/** Whether the webhook `w` has a change that is due. Ordered, so that the plan looks at the first one of the index. */
export const hasDue = sql`(select d.due_at from webhook_due d where d.webhook_id = w.id and not d.held
    order by d.due_at limit 1) <= now()`;

/** The object of a change; the change itself if it is about none. */
export const objectOf = ({ kind, object_id, id }: ChangeRow) => ({ kind, object_id: object_id ?? id });

/**
 * Takes changes that are due, for the process that has the turn of their webhook: those that can be sent now, each followed by later ones of
 * its object, so that an object that changes often catches up. Where the last try had no answer, those come first
 * that were not tried yet: objects at which the endpoint hangs hold up others for one try only.
 *
 * @param busy the objects of which a change is being sent: an earlier one may have been queued since
 */
export async function takeDue(
  db: Database,
  turn: { webhook_id: string; organization_id: string; answering: boolean; healthy: boolean },
  busy: readonly ReturnType<typeof objectOf>[],
  limit: number,
): Promise<Required<Pick<QueuedChange, 'seq' | 'change' | 'attempts'>>[]> {
  const own = sql`d.webhook_id = ${turn.webhook_id}::uuid and d.organization_id = ${turn.organization_id}::uuid`;
  const other = sql`o.webhook_id = d.webhook_id and o.organization_id = d.organization_id and o.kind = d.kind and o.object_id = d.object_id`;
  const taken = await db.transaction(async (unit) => {
    await unit.run(lookUpOnly);
    return await unit.rows<{
      seq: string;
      change: ChangeRow;
      attempts: number;
      nth: string;
    }>(sql`with first as materialized (
        select d.kind, d.object_id, row_number() over (order by ${turn.answering ? empty : raw('d.step > 0,')} d.due_at, d.seq) as nth
        from webhook_due d where ${own} and not d.held and d.due_at <= now()
          and (d.kind, d.object_id) not in (select * from unnest(${busy.map(({ kind }) => kind)}::text[],
            ${busy.map((each) => each.object_id)}::uuid[]))
        order by nth limit ${limit}
      ), due as materialized (
        select later.change_id, row_number() over (order by first.nth, later.seq) as nth
        from first cross join lateral (
          select d.change_id, d.seq from webhook_due d where ${own} and d.kind = first.kind and d.object_id = first.object_id
            and not exists (select from webhook_due o where ${other} and o.seq <= d.seq and o.due_at > now())
          order by d.seq limit ${turn.healthy ? mostOfObject : 1}
        ) later
        order by nth limit ${limit}
      )
      update webhook_due d set due_at = ${underWay} from due where ${own} and d.change_id = due.change_id
      returning d.seq::text as seq, d.change, d.attempts, due.nth`);
  });
  return taken.sort((one, other) => Number(one.nth) - Number(other.nth));
}

/** Gives changes up that were taken and not tried, so that they are due again at once. */
export async function releaseDue(db: UnitOfWork, webhookId: string, changeIds: readonly string[]): Promise<void> {
  if (changeIds.length === 0) return;
  await db.run(lookUpOnly);
  await db.run(sql`update webhook_due set due_at = date_trunc('milliseconds', now())
    where webhook_id = ${webhookId}::uuid and change_id = any(${changeIds}::uuid[])`);
}

/**
 * Queues changes of a webhook, unless they wait already, and holds back what is not the first of its object. Call it under the
 * webhook's lock.
 */
export async function queueChanges(
  db: UnitOfWork,
  webhook: { id: string; organization_id: string },
  changes: readonly QueuedChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await db.run(lookUpOnly);
  const sameObject = sql`w.webhook_id = ${webhook.id}::uuid and w.kind = n.kind and w.object_id = n.object_id`;
  await db.run(sql`with given as (
      select n.id, (n.change->>'id')::uuid as change_id, n.seq, n.change->>'kind' as kind,
        coalesce(n.change->>'object_id', n.change->>'id')::uuid as object_id, n.change, n.attempts, n.first_tried_at, n.under_way
      from unnest(${changes.map(() => randomUUIDv7())}::uuid[], ${changes.map(({ seq }) => seq)}::bigint[],
        ${changes.map(({ change }) => JSON.stringify(change))}::jsonb[], ${changes.map(({ attempts = 0 }) => attempts)}::int[],
        ${changes.map(({ firstTriedAt = null }) => firstTriedAt)}::timestamptz[],
        ${changes.map(({ isUnderWay = false }) => isUnderWay)}::boolean[]) as n (id, seq, change, attempts, first_tried_at, under_way)
    ), new as materialized (
      select *, row_number() over (partition by kind, object_id order by seq) > 1 as later from given n
      where not exists (select from webhook_due w where w.webhook_id = ${webhook.id}::uuid and w.change_id = n.change_id)
    ), overtaken as (
      update webhook_due w set held = true from new n where ${sameObject} and w.seq > n.seq and not w.held
    )
    insert into webhook_due
      (id, webhook_id, organization_id, change_id, seq, kind, object_id, change, attempts, step, first_tried_at, due_at, held)
    select n.id, ${webhook.id}::uuid, ${webhook.organization_id}::uuid, n.change_id, n.seq, n.kind, n.object_id, n.change, n.attempts,
      n.attempts, n.first_tried_at, case when n.under_way then ${underWay} else date_trunc('milliseconds', now()) end,
      n.later or exists (select from webhook_due w where ${sameObject} and w.seq <= n.seq)
    from new n`);
}

/**
 * Changes that were delivered or given up wait no longer, and the next one of each object follows. Call it under the webhook's lock.
 */
export async function endDue(
  db: UnitOfWork,
  { webhook_id, organization_id }: { webhook_id: string; organization_id: string },
  changeIds: readonly string[],
): Promise<void> {
  if (changeIds.length === 0) return;
  const own = sql`webhook_id = ${webhook_id}::uuid and organization_id = ${organization_id}::uuid`;
  const sameObject = sql`${own} and w.kind = done.kind and w.object_id = done.object_id and w.id not in (select id from done)`;
  await db.run(lookUpOnly);
  await db.run(sql`with done as (
      delete from webhook_due where ${own} and change_id = any(${changeIds}::uuid[]) returning id, kind, object_id
    ), next as (
      select w.id from done cross join lateral (
        select w.id from webhook_due w where ${sameObject} and w.held order by w.seq limit 1
      ) w
      where not exists (select from webhook_due w where ${sameObject} and not w.held)
    )
    update webhook_due set held = false from next where webhook_due.id = next.id and ${own}`);
}

/** Makes waiting changes due now, with their whole schedule ahead of them. */
export async function hurryDue(db: Database, condition: Sql): Promise<void> {
  await db.run(sql`update webhook_due set step = 0, first_tried_at = null,
      due_at = least(due_at, date_trunc('milliseconds', now())) where ${condition}`);
}

/** Forgets what waits of kinds that a webhook is no longer about. */
export async function dropKinds(db: Database, webhookId: string, kinds: readonly string[]): Promise<void> {
  await db.run(sql`delete from webhook_due where webhook_id = ${webhookId}::uuid and kind <> all(${kinds})`);
}
